import { chosen } from '../engine/chosen';
import { retryRun } from '../engine/retry';
import { runWorkflow } from '../engine/runWorkflow';
import { OPERATIONS, type Operation, asJson, operations, useChat } from '../engine/useChat';

const chat = useChat();

const schema = {
	type: 'object',
	required: ['category', 'score'],
	properties: { category: { enum: ['praise', 'complaint'] }, score: { type: 'integer', maximum: 5 } },
};
const prompt = 'Classify: "The delivery came 3 days late, a complaint."';
const right = { category: 'complaint', score: 3 };
const INSTRUCTION = 'The JSON must fit this JSON Schema';

const strict = { ...schema, additionalProperties: false };
const FIELDS: Record<Operation, object> = {
	chatCompletion: {
		response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema: strict } },
	},
	message: {
		tools: [{ name: 'answer', description: expect.any(String), input_schema: schema }],
		tool_choice: { type: 'tool', name: 'answer' },
	},
	generateContent: {
		generationConfig: {
			responseMimeType: 'application/json',
			responseSchema: {
				type: 'OBJECT',
				required: ['category', 'score'],
				properties: {
					category: { type: 'STRING', enum: ['praise', 'complaint'] },
					score: { type: 'INTEGER', maximum: 5 },
				},
			},
		},
	},
};
const retries = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
const AS_JSON = asJson(JSON.stringify(schema));
const ask = async (operation: Operation, options: object, more: object = {}) =>
	await chat.ask(operation, { prompt, ...AS_JSON, options, ...more });
const isInstructed = (body: object) => JSON.stringify(body).includes(INSTRUCTION);
const hasFields = (body: object) => /response_format|tool_choice|responseSchema/.test(JSON.stringify(body));

const reject = { kind: 'status', status: 400, body: { error: { message: 'Unknown field.' } } } as const;

describe('JSON Schema of Unified AI Chat', () => {
	it.each(operations)('is a field of the request and in the system prompt for %s', async (operation) => {
		for (const stream of [false, true]) {
			chat.emulator.journal.clear();
			const { items, error } = await ask(operation, { stream });
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ data: right, finishReason: 'stop' });
			expect(items[0].json).not.toHaveProperty('toolCalls');
			expect(Object.keys(items[0].json)[0]).toBe('data');
			expect(chat.sentBody()).toMatchObject(FIELDS[operation]);
			expect(isInstructed(chat.sentBody())).toBe(true);
		}
	});

	it.each([
		['automatic', true, true],
		['field', true, false],
		['prompt', false, true],
		['no', false, false],
	])('is sent as the user wants: %s', async (sendSchema, inField, inPrompt) => {
		for (const operation of operations) {
			chat.emulator.journal.clear();
			await ask(operation, { sendSchema });
			expect(hasFields(chat.sentBody())).toBe(inField);
			expect(isInstructed(chat.sentBody())).toBe(inPrompt);
		}
	});

	it.each(operations)(
		'goes into the system prompt when %s rejects the field, and from then on at once for this model only',
		async (operation) => {
			const credential = chat.credential();
			const when = {
				chatCompletion: 'response_format',
				message: 'tool_choice',
				generateContent: 'responseSchema',
			};
			chat.fail(OPERATIONS[operation], { ...reject, times: 'always', when: when[operation] });
			const run = async (model: string) => {
				chat.emulator.journal.clear();
				const parameters = { prompt, ...AS_JSON, options: { sendSchema: 'field' }, model: chosen(model) };
				const { items, error } = await chat.ask(operation, parameters, { credential });
				expect(error).toBeUndefined();
				expect(items[0].json.data).toEqual(right);
				return chat.sent().map((body) => [hasFields(body), isInstructed(body)]);
			};
			expect(await run('aurora-4')).toEqual([
				[true, false],
				[false, true],
			]);
			expect(await run('aurora-4')).toEqual([[false, true]]);
			expect(await run('sonata-3-large')).toHaveLength(2);
		},
	);

	it('is sent without its field if no provider of the model takes it', async () => {
		const message = 'No endpoints found that can handle the requested parameters.';
		chat.fail('POST /v1/*', { ...reject, status: 404, body: { error: { message } } });
		expect((await ask('chatCompletion', {})).error).toBeUndefined();
		expect(chat.sent().map(hasFields)).toEqual([true, false]);
	});

	it('is a field of the requests to a fallback model, whatever the model before it has rejected', async () => {
		const credential = chat.credential();
		const unknown = { error: { message: 'No such model: aurora-4' } };
		chat.fail('POST /v1/*', reject, { kind: 'status', status: 404, body: unknown });
		const fallbackModels = { model: [{ model: chosen('sonata-3-large') }] };
		const parameters = { prompt, ...AS_JSON, options: { sendSchema: 'field', fallbackModels } };
		for (const model of ['aurora-4', 'sonata-3-large']) {
			const { error } = await chat.ask(
				'chatCompletion',
				{ ...parameters, model: chosen(model) },
				{ credential },
			);
			expect(error).toBeUndefined();
		}
		expect(chat.sent().map(hasFields)).toEqual([true, false, true, true]);
	});

	it.each([
		{ error: { message: 'Failed to generate JSON.', code: 'json_validate_failed', failed_generation: '{' } },
		{ error: { message: 'context too long: prompt has 999 tokens' } },
	])('is not sent again after a rejection that has other reasons: %j', async (body) => {
		chat.fail('POST /v1/*', { kind: 'status', status: 400, body });
		const { error } = await ask('chatCompletion', {});
		expect(error?.message).toContain(body.error.message.replace(/\.$/, ''));
		expect(chat.emulator.journal.count()).toBe(1);
	});

	it('does not make a retry pay again for an answer on the other way', async () => {
		const credential = chat.credential();
		const input = [0, 1, 2].map((row) => ({ json: { row } }));
		const options = { credential, input };
		const parameters = {
			prompt: `={{ "Row " + $json.row + ". ${prompt.replaceAll('"', "'")}" }}`,
			...AS_JSON,
			options: { parallelRequests: 1 },
		};
		const workflow = chat.workflow({ operation: 'chatCompletion', ...parameters });
		// The first answer is paid for with the field, which is rejected from then on. The last item fails.
		chat.fail(
			'POST /v1/*',
			{ ...reject, times: 'always', when: 'Row 2' },
			{ ...reject, times: 'always', when: 'response_format', skip: 1 },
		);
		const failed = await runWorkflow(workflow, options);
		expect(failed.error?.message).toContain('(row 3 of ');
		const paid = () => chat.emulator.journal.entries().filter(({ status }) => status === 200).length;
		expect(paid()).toBe(2);
		chat.emulator.behaviour.reset();
		const { items } = await retryRun(workflow, failed, options);
		expect(items.map(({ json }) => json.data)).toEqual(
			items.map(() => expect.objectContaining({ category: 'complaint' })),
		);
		expect(paid()).toBe(3);
	});

	it.each(operations)('stands in columns beside those of its row with %s', async (operation) => {
		const failure = { error: 'Bad', details: { kind: 'request' } };
		const input = [{ json: { id: 7, category: 'none', ...failure } }];
		const { items } = await chat.ask(operation, { prompt, ...AS_JSON, output: 'columns' }, { input });
		const { category, ...others } = items[0].json;
		expect(category).not.toBe('none');
		expect(others).toEqual({ id: 7, score: expect.any(Number) });
	});

	it('stands in columns without the models that were not available', async () => {
		const body = { error: { message: 'Overloaded.' } };
		chat.fail('POST /v1/*', { kind: 'status', status: 503, body, when: '"aurora-4"', times: 'always' });
		const fallbackModels = { model: [{ model: chosen('sonata-3-large') }] };
		const parameters = { output: 'columns', options: { maxRetries: 0, fallbackModels } };
		const { items } = await chat.ask('chatCompletion', { prompt, ...AS_JSON, ...parameters });
		expect(Object.keys(items[0].json).sort()).toEqual(['category', 'score']);
	});

	it('is not sent again in another way by Retry On Fail after an unclear outcome of the second way', async () => {
		chat.fail(
			'POST /v1/*',
			{ ...reject, when: 'response_format' },
			{ kind: 'html', status: 504, carriedOut: true },
		);
		const { error } = await chat.ask('chatCompletion', { prompt, ...AS_JSON }, {}, retries);
		expect(error?.message).toContain('gave up on the request');
		expect(chat.emulator.journal.count()).toBe(2);
	});

	it('is sent beside the other options', async () => {
		await ask('generateContent', { temperature: 0.4, maxTokens: 900 }, { systemPrompt: 'Be short.' });
		expect(JSON.stringify(chat.sentBody())).toContain('Be short.\\n\\nAnswer with JSON only');
		expect(chat.sentBody().generationConfig).toMatchObject({ temperature: 0.4, maxOutputTokens: 900 });
		expect(hasFields(chat.sentBody())).toBe(true);
	});

	it('names keywords that are not checked, once', async () => {
		const input = [1, 2].map((row) => ({ json: { row } }));
		const misspelt = { type: 'object', properties: { name: { type: 'string', minLenght: 1 } } };
		const { hints } = await chat.ask('chatCompletion', { prompt, ...asJson(misspelt) }, { input });
		const named = hints.filter((hint) => hint.includes('are not checked: minLenght.'));
		expect(named).toHaveLength(1);
	});

	it('is required', async () => {
		const { error } = await chat.ask('chatCompletion', { prompt, ...asJson('={{ "" }}') });
		expect(error?.message).toBe('JSON Schema is empty');
		expect(chat.emulator.journal.count()).toBe(0);
		// An empty object allows anything.
		await chat.ask('chatCompletion', { prompt, ...asJson('{}') });
		expect(isInstructed(chat.sentBody())).toBe(false);
	});

	it('is a field again after another schema was rejected', async () => {
		const credential = chat.credential();
		const body = { error: { message: "Invalid schema for response_format 'answer'" } };
		chat.fail('POST /v1/*', { kind: 'status', status: 400, body });
		for (let run = 0; run < 2; run++) {
			const { error } = await chat.ask('chatCompletion', { prompt, ...AS_JSON }, { credential });
			expect(error).toBeUndefined();
		}
		expect(chat.sent().map(hasFields)).toEqual([true, false, true]);
	});

	it('is that of its item', async () => {
		const input = ['a', 'b'].map((name) => ({
			json: { schema: { type: 'object', properties: { [name]: { type: 'string' } } } },
		}));
		await chat.ask('chatCompletion', { prompt, ...asJson('={{ $json.schema }}') }, { input });
		const sent = chat.sent().map((body) => JSON.stringify(body));
		expect(sent.map((body) => ['"a":', '"b":'].map((name) => body.includes(name))).sort()).toEqual([
			[false, true],
			[true, false],
		]);
	});

	it('goes only into the system prompt where its field is not possible', async () => {
		const cases: Array<[Operation, object, object?]> = [
			['chatCompletion', {}, { jsonSchema: '{"type":"array","items":{"type":"string"}}' }],
			['message', { reasoningEffort: 'low' }],
			['message', { thinkingBudget: 2000 }],
			['message', { extraBodyFields: '{"thinking":{"type":"adaptive"}}' }],
			['generateContent', { extraBodyFields: '{"tools":[{"googleSearch":{}}]}' }],
			['generateContent', { tools: '[{"functionDeclarations":[{"name":"zzz"}]}]' }],
			['generateContent', {}, { jsonSchema: '{"type":"object","properties":{"a":{"$ref":"#"}}}' }],
		];
		for (const [operation, options, more] of cases) {
			chat.emulator.journal.clear();
			await ask(operation, options, more);
			expect(hasFields(chat.sentBody())).toBe(false);
			expect(isInstructed(chat.sentBody())).toBe(true);
		}
	});
});

describe('An answer in JSON', () => {
	it('fails for an answer without JSON or with a mismatch, and keeps the answer', async () => {
		const failing = async (text: string, ending?: 'length') => {
			chat.emulator.behaviour.set('POST /v1/*', { answer: { texts: [text], ending } });
			const { items } = await chat.ask(
				'chatCompletion',
				asJson(schema),
				{},
				{ onError: 'continueRegularOutput' },
			);
			return items[0].json as { error: string; details: { description: string; partial: object } };
		};
		const prose = await failing('It is a complaint.');
		expect(prose.error).toBe("The model's answer contains no JSON");
		expect(prose.details.partial).toMatchObject({ text: 'It is a complaint.', finishReason: 'stop' });
		const mismatching = await failing('{"category":"complaint","score":9}');
		expect(mismatching.error).toContain('"score" must be at most 5');
		expect(prose.details.description).toContain('ask for JSON only');
		expect(mismatching.details.description).toContain('say what this field must contain');
		const cut = await failing('{"category":"compl', 'length');
		expect(cut.details.description).toContain('Increase Max Tokens');
		expect(chat.emulator.journal.count()).toBe(3);
	});

	it('is not an empty object that was cut off before its fields', async () => {
		const content = [{ type: 'tool_use', id: 'a', name: 'answer', input: {} }];
		for (const [stop_reason, expected] of [
			['tool_use', undefined],
			['max_tokens', "The model's answer contains no JSON"],
		]) {
			const body = { type: 'message', role: 'assistant', content, stop_reason };
			chat.fail(OPERATIONS.message, { kind: 'status', status: 200, body });
			const { error } = await chat.ask('message', asJson({ type: 'object', properties: { at: {} } }));
			expect(error?.message).toBe(expected);
		}
	});

	it('is a column if it is a list, and stands beside the raw response', async () => {
		const parameters = { ...asJson(), prompt: 'Answer with the JSON [1, 2].' };
		chat.emulator.behaviour.set('POST /v1/*', { answer: { texts: ['[1, 2]'] } });
		const columns = await chat.ask('chatCompletion', { ...parameters, output: 'columns' });
		const raw = await chat.ask('chatCompletion', { ...parameters, simplify: false });
		expect(columns.items[0].json).toEqual({ data: [1, 2] });
		expect(raw.items[0].json).toMatchObject({ data: [1, 2], choices: [{}] });
	});

	it('asks again for an answer that cannot be used when n8n retries the node', async () => {
		const message = { role: 'assistant', content: 'It is a complaint.' };
		const body = { choices: [{ index: 0, message, finish_reason: 'stop' }] };
		chat.emulator.behaviour.set('POST /v1/*', {
			faults: [{ kind: 'status', status: 200, body, contentType: 'application/json' }],
			answer: { texts: ['{"category":"complaint","score":3}'] },
		});
		const { items } = await chat.ask('chatCompletion', asJson(schema), {}, retries);
		expect(items[0].json.data).toEqual({ category: 'complaint', score: 3 });
		expect(chat.emulator.journal.count()).toBe(2);
	});

	it.each([
		['reached Max Tokens', { ending: 'length' as const }, {}],
		['was seen in a stream', {}, { options: { stream: true } }],
	])('that cannot be used is asked for again only by a person if it %s', async (_why, answer, parameters) => {
		chat.emulator.behaviour.set('POST /v1/*', { answer: { texts: ['It is a complaint.'], ...answer } });
		const workflow = (settings: object) =>
			chat.workflow({ operation: 'chatCompletion', ...asJson(schema), ...parameters }, settings);
		const options = { credential: chat.credential(), onChunk: () => {} };
		const failed = await runWorkflow(workflow(retries), options);
		expect(failed.error?.message).toBe("The model's answer contains no JSON");
		expect(chat.emulator.journal.count()).toBe(1);
		await retryRun(workflow({}), failed, { ...options, executionId: 'retry' });
		expect(chat.emulator.journal.count()).toBe(2);
	});
});
