import { NodeConnectionTypes, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { chosen } from '../engine/chosen';
import { retryRun } from '../engine/retry';
import { type WorkflowJson, runWorkflow } from '../engine/runWorkflow';
import { OPERATIONS, type Operation, asJson, operations, useChat } from '../engine/useChat';
import { answerOf, functionCall, itemsOf, toolsNode } from './connectedTools';

const chat = useChat();

type Tokens = Record<'prompt_tokens' | 'completion_tokens', number>;

/** How far the nodes' clock is ahead: a pause of a model ends when it is moved on. */
let ahead = 0;
const { now } = systemClock;
beforeAll(() => void jest.spyOn(systemClock, 'now').mockImplementation(() => now() + ahead));
afterAll(() => jest.restoreAllMocks());

const FIRST = 'aurora-4';
const SECOND = 'sonata-3-large';
const NONE_LEFT = { maxRetries: 0, maxRateLimitRetries: 0 };
const fallback = (...models: string[]) => ({
	...NONE_LEFT,
	fallbackModels: { model: models.map((value) => ({ model: chosen(value) })) },
});
const inBody = (model: string) => `"model":"${model}"`;
const rows = (count: number) => Array.from({ length: count }, (_, row) => ({ json: { row } }));
const prompt = '={{ "Question " + $json.row + "." }}';

/** The requests to a model, as the gateway got them. */
function requestsTo(model: string) {
	const entries = chat.emulator.journal.entries();
	return entries.filter(
		({ path, body }) => path.includes(model) || JSON.stringify(body).includes(inBody(model)),
	);
}

/** Lets the first model fail. */
function failFirst(fault: object) {
	chat.fail('POST /v1/*', { when: inBody(FIRST), times: 'always', ...fault } as never);
}

const INVALID = 'invalid_request_error';
const NO_FILE = 'File not found: the image for model input does not exist';
const BESIDE_AN_ANSWER = {
	choices: [{ message: { role: 'assistant', content: 'The first half' } }],
	error: { code: 503, message: 'The model is overloaded.' },
};
const status = (code: number, error: object = { message: 'The model is overloaded.' }) => ({
	kind: 'status',
	status: code,
	body: { error },
});

describe('Fallback Models', () => {
	it('answer all of 24 items while the first model is down, without paying for any of them twice', async () => {
		failFirst(status(503));
		const options = { ...fallback(SECOND), parallelRequests: 8 };
		const { items, error } = await chat.ask('chatCompletion', { prompt, options }, { input: rows(24) });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(24);
		expect(items.map(({ json }) => json.model)).toEqual(items.map(() => SECOND));
		expect(
			items.map(({ json }) => json.text as string).filter((text, row) => !text.includes(`Question ${row}.`)),
		).toEqual([]);
		const reason = expect.stringContaining('temporarily unavailable (status 503');
		expect(items[23].json.unavailableModels).toEqual([{ model: FIRST, reason }]);
		expect(requestsTo(SECOND)).toHaveLength(24);
		// As many as were under way before the first one failed.
		expect(requestsTo(FIRST).length).toBeLessThanOrEqual(8);
	});

	it.each(operations)('are asked in their order by %s', async (operation) => {
		const when = (model: string) => (operation === 'generateContent' ? `/${model}:` : inBody(model));
		const faults = [FIRST, SECOND].map((model) => ({ ...status(503), times: 'always', when: when(model) }));
		chat.emulator.behaviour.set(OPERATIONS[operation], { faults: faults as never });
		const { items, error } = await chat.ask(operation, { options: fallback(SECOND, 'prisma-2-pro') });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ model: 'prisma-2-pro' });
		expect(items[0].json.unavailableModels).toMatchObject([{ model: FIRST }, { model: SECOND }]);
	});

	it.each([
		['a rate limit', status(429)],
		['a gateway that is too busy', status(529)],
		['a model that the gateway does not have', status(404, { message: 'No such model.' })],
		['a model without a channel', status(503, { code: 'model_not_found', message: 'No channel.' })],
	])('are asked after %s', async (_what, fault) => {
		failFirst(fault);
		const { items, error } = await chat.ask('chatCompletion', { options: fallback(FIRST, SECOND) });
		expect(error).toBeUndefined();
		expect(items[0].json.model).toBe(SECOND);
		expect(requestsTo(FIRST)).toHaveLength(1);
	});

	it.each([
		['a lost connection', { kind: 'resetBeforeHeaders', carriedOut: true }],
		['an answer that is cut off', { kind: 'cut', afterBytes: 40 }],
		['an error beside an answer', { kind: 'status', status: 200, body: BESIDE_AN_ANSWER }],
		['a file that does not exist', status(400, { message: NO_FILE, type: INVALID })],
		['a wrong key', status(401, { message: 'No.' })],
		['a limit of credit', status(429, { code: 'insufficient_quota', message: 'No credit.' })],
		['an error of the gateway', status(500)],
	])('are not asked after %s', async (_what, fault) => {
		failFirst(fault);
		const run = { credential: chat.credential() };
		const { error } = await chat.ask('chatCompletion', { options: fallback(SECOND) }, run);
		expect(error).toBeDefined();
		chat.emulator.behaviour.reset();
		await chat.ask('chatCompletion', { options: fallback(SECOND), prompt: 'And now?' }, run);
		expect(requestsTo(SECOND)).toEqual([]);
	});

	it('leave a failure that names all models when none is available', async () => {
		chat.fail('POST /v1/*', { ...status(503), times: 'always' } as never);
		const run = { credential: chat.credential() };
		const { error } = await chat.ask('chatCompletion', { options: fallback(SECOND) }, run);
		expect(error?.message).toContain('temporarily unavailable');
		expect(error?.description).toContain(
			'Other models were not available: aurora-4 (The gateway is temporarily',
		);
		// While both are left alone, the last one is asked nevertheless.
		await chat.ask('chatCompletion', { options: fallback(SECOND) }, run);
		expect([FIRST, SECOND].map((model) => requestsTo(model).length)).toEqual([1, 2]);
	});

	it('that answered are not paid for again by a retry, although the first model is back', async () => {
		chat.fail(
			'POST /v1/*',
			{ ...status(503), times: 'always', when: inBody(FIRST) } as never,
			{ ...status(400), times: 1, when: 'Question 2.' } as never,
		);
		const workflow = chat.workflow({
			operation: 'chatCompletion',
			prompt,
			options: { ...fallback(SECOND), parallelRequests: 1, includeInputFields: true },
		});
		// They come from another chat.
		const earlier = { unavailableModels: [{ model: 'prisma-2-pro' }], toolRuns: [] };
		const input = rows(4).map(({ json }) => ({ json: { ...json, ...earlier } }));
		const options = { credential: chat.credential(), input };
		const failed = await runWorkflow(workflow, options);
		expect(failed.error?.message).toContain('(row 3 of ');
		chat.emulator.behaviour.reset();
		ahead += 60_000;
		const { items } = await retryRun(workflow, failed, options);
		expect(items.map(({ json }) => json.model)).toEqual([SECOND, SECOND, FIRST, FIRST]);
		expect(items.map(({ json }) => json.row)).toEqual([0, 1, 2, 3]);
		expect(items.map(({ json }) => 'unavailableModels' in json)).toEqual([true, true, false, false]);
		expect(items.filter(({ json }) => 'toolRuns' in json)).toEqual([]);
		for (const row of [0, 1]) {
			const asked = requestsTo(SECOND).filter(({ body }) =>
				JSON.stringify(body).includes(`Question ${row}.`),
			);
			expect(asked).toHaveLength(1);
		}
		expect(requestsTo(FIRST).filter(({ status: code }) => code === 200)).toHaveLength(2);
	});
});

function withTools(operation: Operation, parameters: object): WorkflowJson {
	const { nodes } = chat.workflow({ operation, ...parameters });
	const tools = {
		...nodes[0],
		id: 'tools',
		name: 'Tools',
		type: 'n8n-nodes-unified-ai-gateway.tools',
		parameters: {},
	};
	const connection = { node: nodes[0].name, type: NodeConnectionTypes.AiTool, index: 0 };
	return {
		nodes: [nodes[0], tools],
		connections: { Tools: { [NodeConnectionTypes.AiTool]: [[connection]] } },
	};
}

const question = 'What is the weather in Paris?';
/** Asks a model that has tools. @returns what came of it, and what retries it with other parameters */
const run = async (
	operation: Operation,
	tools: ReturnType<typeof toolsNode>,
	parameters: object = {},
	input?: INodeExecutionData[],
) => {
	const options = { credential: chat.credential(), nodeTypes: { tools: tools.type }, input };
	const workflow = (more: object = {}) => withTools(operation, { prompt: question, ...parameters, ...more });
	const result = await runWorkflow(workflow(), options);
	const retry = async (more?: object) => itemsOf(await retryRun(workflow(more), result, options));
	return { error: result.error, items: itemsOf(result), retry };
};
const bodies = () => chat.sent().map((body) => JSON.stringify(body));

type ToolCallIds = Array<{ id: string }>;
/** Lets the next answers call functions. */
function answers(...calls: object[][]) {
	chat.emulator.behaviour.set('POST /v1/*', { faults: calls.map(answerOf) });
}

describe('Tools of Unified AI Chat', () => {
	it.each(operations)(
		'are used by %s, streamed or not, while it thinks, and their results are in the output',
		async (operation) => {
			// The emulator refuses results without the thoughts that came with their calls.
			for (const options of [{}, { stream: true }, { reasoningEffort: 'low' }]) {
				chat.emulator.journal.clear();
				const tools = toolsNode({ weather: () => ({ sky: 'clear' }), time: () => 'noon' });
				const { items, error } = await run(operation, tools, { options });
				expect(error).toBeUndefined();
				expect(items[0].json.text).toContain('The tool weather reports:');
				expect(items[0].json.toolRuns).toEqual([
					{ name: 'weather', arguments: { city: 'Paris' }, result: '{"sky":"clear"}' },
				]);
				expect(items[0].json).not.toHaveProperty('toolCalls');
				expect(tools.used).toEqual({ weather: [{ city: 'Paris' }], time: [] });
				expect(chat.emulator.journal.count()).toBe(2);
				expect(bodies()[0]).toContain('Tells the weather');
			}
		},
	);

	it('take tokens, which are counted with those of the answer', async () => {
		const ask = async (simplify: boolean) => {
			const { items } = await run('chatCompletion', toolsNode({ weather: () => 'rain' }), { simplify });
			return items[0].json;
		};
		const { usage, earlierResponses } = await ask(false);
		const all = [...(earlierResponses as IDataObject[]).map((one) => one.usage), usage] as Tokens[];
		expect(all).toHaveLength(2);
		const sum = (name: keyof Tokens) => all.reduce((total, one) => total + one[name], 0);
		expect(await ask(true)).toMatchObject({
			inputTokens: sum('prompt_tokens'),
			outputTokens: sum('completion_tokens'),
		});
	});

	it.each([
		['The station is closed', 'The station is closed. Ask for another.'],
		['Is it open?', 'Is it open? Ask for another.'],
		// As n8n throws the error of a node.
		['It is closed\n\nDetails: Ask for another.', 'It is closed\n\nDetails: Ask for another.'],
	])('may be used at the same time, and fail in words: %j', async (message, words) => {
		const tools = toolsNode({
			weather: () => {
				throw Object.assign(new Error(message), { description: 'Ask for another.' });
			},
			time: () => ({
				content: [
					{ type: 'text', text: 'noon' },
					{ type: 'image', data: 'AAAA', mimeType: 'image/png' },
					{ type: 'image', data: 'BBBB', mime_type: 'image/webp' },
					{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
				],
			}),
		});
		const { items, error } = await run('message', tools, {
			prompt: 'What is the weather and the time in Paris?',
		});
		expect(error).toBeUndefined();
		expect(items[0].json.toolRuns).toMatchObject([
			{ name: 'weather', result: JSON.stringify({ error: words }) },
			{ name: 'time', result: 'noon' },
		]);
		expect(bodies()[1]).toMatch(/"media_type":"image\/png".*"media_type":"image\/webp".*a\.png/);
	});

	it('are never used twice when a later question to the model fails, and nothing is paid for twice', async () => {
		for (const operation of operations) {
			chat.emulator.journal.clear();
			const body = { error: { message: 'No credit.' } };
			chat.fail(OPERATIONS[operation], { kind: 'status', status: 402, body, skip: 1 });
			const tools = toolsNode({ weather: () => 'rain' });
			const { error, retry } = await run(operation, tools);
			expect(error?.message).toContain('enough credit');
			expect(error?.context.data).toMatchObject({
				partial: { toolRuns: [{ name: 'weather', result: 'rain' }], inputTokens: expect.any(Number) },
			});
			expect((await retry())[0].json.toolRuns).toHaveLength(1);
			expect(tools.used.weather).toHaveLength(1);
			const paid = chat.emulator.journal.entries().filter(({ status }) => status === 200);
			expect(paid).toHaveLength(2);
		}
	});

	it('are not used again when a retry asks for another last answer, because that one was no JSON', async () => {
		const call = functionCall('a', 'weather', '{"city":"Rome"}');
		const faults = [
			{ finish_reason: 'tool_calls', message: { content: null, tool_calls: [call] } },
			{ finish_reason: 'stop', message: { content: 'It rains.' } },
			{ finish_reason: 'stop', message: { content: '{"sky": "rain"}' } },
		].map((choice) => ({ kind: 'status', status: 200, body: { choices: [choice] } }) as const);
		chat.emulator.behaviour.set('POST /v1/*', { faults });
		const tools = toolsNode({ weather: () => [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] });
		const { error, retry } = await run('chatCompletion', tools, asJson());
		expect(error?.message).toContain('contains no JSON');
		const [item] = await retry();
		expect(item.json).toMatchObject({ data: { sky: 'rain' }, toolRuns: [{ name: 'weather' }] });
		expect(bodies()).toEqual([expect.any(String), expect.any(String), expect.stringContaining('AAAA')]);
		expect(tools.used.weather).toHaveLength(1);
	});

	it('are used again for other arguments, although a call has the ID of one in an earlier try', async () => {
		const tools = toolsNode({ weather: ({ city }: { city?: string }) => `rain in ${city}` });
		const refused = { kind: 'status', status: 402, body: { error: { message: 'No.' } } } as const;
		const callFor = (city: string) => [functionCall('a', 'weather', JSON.stringify({ city }))];
		chat.emulator.behaviour.set('POST /v1/*', { faults: [answerOf(callFor('Rome')), refused] });
		const { error, retry } = await run('chatCompletion', tools);
		expect(error).toBeDefined();
		chat.emulator.behaviour.set('POST /v1/*', { faults: [answerOf(callFor('Oslo'))] });
		const [item] = await retry({ prompt: 'And the weather in Oslo?' });
		expect(item.json.toolRuns).toMatchObject([{ result: 'rain in Oslo' }]);
		expect(tools.used.weather).toEqual([{ city: 'Rome' }, { city: 'Oslo' }]);
	});

	it('leave what has arrived of the answer after them when it breaks off', async () => {
		const tools = toolsNode({ weather: () => 'rain' });
		chat.fail(OPERATIONS.chatCompletion, { kind: 'cut', afterBytes: 700, skip: 1 });
		const { error } = await run('chatCompletion', tools, { options: { stream: true } });
		expect(error?.context.data).toMatchObject({
			partial: { text: expect.stringMatching(/^The tool/), toolRuns: [{ name: 'weather' }] },
		});
	});

	it.each(operations)('are used by %s as well if its messages are JSON', async (operation) => {
		const tools = toolsNode({ weather: () => 'rain' });
		const message =
			operation === 'generateContent'
				? { role: 'user', parts: [{ text: question }] }
				: { role: 'user', content: question };
		const parameters = { inputType: 'json', messagesJson: JSON.stringify([message]) };
		const { items, error } = await run(operation, tools, parameters);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ toolRuns: [{ result: 'rain' }] });
		expect(chat.emulator.journal.count()).toBe(2);
	});

	it.each([
		['chatCompletion', 'messages'],
		['generateContent', 'contents'],
	] as const)('are refused by %s if Extra Body Fields fixes its %s', async (operation, field) => {
		const options = { extraBodyFields: JSON.stringify({ [field]: [] }) };
		const { error } = await run(operation, toolsNode({ weather: () => 'rain' }), { options });
		expect(error?.message).toContain(`Extra Body Fields contains "${field}"`);
		expect(chat.emulator.journal.count()).toBe(0);
	});

	it('leave the files of all answers in fields of their own', async () => {
		const image = (content: string) => ({
			images: [{ image_url: { url: `data:image/png;base64,${Buffer.from(content).toString('base64')}` } }],
		});
		const call = functionCall('a', 'weather', '{"city":"Rome"}');
		const bodies = [
			{
				message: { content: null, tool_calls: [call], ...image('\x89PNG one') },
				finish_reason: 'tool_calls',
			},
			{ message: { content: 'It rains.', ...image('\x89PNG another') }, finish_reason: 'stop' },
		].map((choice) => ({ choices: [choice] }));
		const faults = bodies.map((body) => ({ kind: 'status', status: 200, body }) as const);
		chat.emulator.behaviour.set('POST /v1/*', { faults });
		const { items, error } = await run('chatCompletion', toolsNode({ weather: () => 'rain' }));
		expect(error).toBeUndefined();
		const { data, data_2: second } = items[0].binary!;
		expect(Number(second.bytes) - Number(data.bytes)).toBe(4);
	});

	it('are used at most Max Iterations times, and a retry with more goes on from there', async () => {
		const tools = toolsNode({ weather: () => 'rain' });
		answers(...['a', 'b', 'c'].map((id) => [functionCall(id, 'weather', '{"city":"Rome"}')]));
		const { error, retry } = await run('chatCompletion', tools, { options: { maxIterations: 2 } });
		expect(error?.message).toContain('has used the tools 2 times without an answer');
		expect(tools.used.weather).toHaveLength(2);
		const [item] = await retry({ options: { maxIterations: 3 } });
		expect(item.json.toolRuns).toHaveLength(3);
		expect(tools.used.weather).toHaveLength(3);
		expect(chat.emulator.journal.count()).toBe(4);
		answers(...['a', 'b'].map((id) => [functionCall(id, 'weather', '{"city":"Rome"}')]));
		const { error: once } = await run('chatCompletion', tools, { options: { maxIterations: 1 } });
		expect(once?.message).toContain('has used the tools once without an answer');
	});

	it.each(['', 'a', 'call_1'])(
		'are called with new IDs if the gateway sends %j in every answer',
		async (id) => {
			const tools = toolsNode({ weather: () => 'rain' });
			const calls = ['Rome', 'Oslo'].map((city) => [functionCall(id, 'weather', JSON.stringify({ city }))]);
			answers(...calls);
			const { error } = await run('chatCompletion', tools);
			expect(error).toBeUndefined();
			const { messages } = chat.sent().at(-1) as { messages: Array<Record<string, unknown>> };
			const asked = messages.flatMap(({ tool_calls: made = [] }) =>
				(made as ToolCallIds).map((one) => one.id),
			);
			expect(new Set(asked).size).toBe(2);
			expect(messages.flatMap(({ tool_call_id: answered }) => answered ?? [])).toEqual(asked);
		},
	);

	it('leave the tokens of all answers when a call in a later one is cut off', async () => {
		const tools = toolsNode({ weather: () => 'rain' });
		const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
		const [first, cut] = ['{"city":"Rome"}', '{"city":"Os'].map((given, index) => {
			const message = { content: null, tool_calls: [functionCall(`call ${index}`, 'weather', given)] };
			const finish_reason = index === 0 ? 'tool_calls' : 'length';
			return { kind: 'status', status: 200, body: { choices: [{ message, finish_reason }], usage } } as const;
		});
		chat.fail(OPERATIONS.chatCompletion, first, cut);
		const { error } = await run('chatCompletion', tools);
		expect(error?.context.data).toMatchObject({
			partial: { inputTokens: 20, outputTokens: 10, totalTokens: 30, finishReason: 'length' },
		});
	});

	it('that the model invents, or calls with half of the arguments, are answered in words', async () => {
		const tools = toolsNode({ weather: () => 'rain' });
		const calls = [functionCall('', 'tide', '{}'), functionCall('', 'weather', '{"city":"Ro')];
		answers(calls, calls);
		const { items, error } = await run('chatCompletion', tools);
		expect(error).toBeUndefined();
		const runs = items[0].json.toolRuns as object[];
		expect(runs).toHaveLength(4);
		expect(runs.slice(2)).toMatchObject([
			{ name: 'tide', result: '{"error":"There is no tool \\"tide\\"."}' },
			{ name: 'weather', result: '{"error":"The arguments are not a JSON object."}' },
		]);
		expect(tools.used.weather).toEqual([]);
	});

	it('are given up when the model calls one with unreadable arguments twice (hermes-agent#7680)', async () => {
		const tools = toolsNode({ weather: () => 'rain' });
		answers(...['a', 'b', 'c'].map((id) => [functionCall(id, 'weather', '{"city":"Ro')]));
		const { error } = await run('chatCompletion', tools);
		expect(error?.message).toContain('called the tool "weather" twice with arguments that are not a JSON');
		expect(error?.description).toContain('increase Max Tokens');
		expect(chat.emulator.journal.count()).toBe(2);
		expect(tools.used.weather).toEqual([]);
	});

	it.each(['{"city":"Ro', ''])(
		'do not run, and the model is not asked again, when the answer was cut off: %j',
		async (given) => {
			const whole = functionCall('a', 'weather', '{"city":"Oslo"}');
			const message = { content: null, tool_calls: [whole, functionCall('b', 'weather', given)] };
			const body = { choices: [{ message, finish_reason: 'length' }] };
			chat.fail(OPERATIONS.chatCompletion, { kind: 'status', status: 200, body, times: 'always' });
			const tools = toolsNode({ weather: () => 'rain' });
			const { error, retry } = await run('chatCompletion', tools);
			expect(error?.message).toContain('was cut off while the model was calling the tool "weather"');
			expect(error?.description).toContain('Increase Max Tokens');
			expect(error?.context.data).toMatchObject({ partial: { finishReason: 'length' } });
			expect(tools.used.weather).toEqual([]);
			expect(chat.emulator.journal.count()).toBe(1);
			// The answer was paid for.
			await retry();
			expect(chat.emulator.journal.count()).toBe(1);
		},
	);

	it('do not get the key, which a gateway may write into their arguments', async () => {
		const tools = toolsNode({ weather: () => 'rain' });
		const given = { city: `Paris ${chat.emulator.apiKey}` };
		answers([functionCall('a', 'weather', JSON.stringify(given))]);
		await run('chatCompletion', tools);
		expect(tools.used.weather).toHaveLength(1);
		expect(JSON.stringify(tools.used)).not.toContain(chat.emulator.apiKey);
	});

	it('stay with the model that began to use them, even if it is a fallback model', async () => {
		const when = inBody(FIRST);
		chat.fail('POST /v1/*', { ...status(503), when } as never);
		const tools = toolsNode({
			weather: () => {
				// The first model would be asked again.
				ahead += 60_000;
				return 'rain';
			},
		});
		const options = { ...fallback(SECOND), reasoningEffort: 'low' };
		const { items, error } = await run('message', tools, { options });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({
			model: 'sonata-3-large',
			unavailableModels: [{ model: 'aurora-4' }],
		});
		expect(bodies().filter((body) => body.includes(when))).toHaveLength(1);
		expect(bodies()).toHaveLength(3);
	});

	it('are used on by another model, which does not get what the first one thought', async () => {
		for (const operation of ['chatCompletion', 'message'] as const) {
			chat.emulator.journal.clear();
			const thoughts = { reasoning_content: 'Hm.' };
			const call = functionCall('a', 'weather', '{"city":"Rome"}');
			const blocks = [
				{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
				{ type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Rome' } },
			];
			const body =
				operation === 'message'
					? { type: 'message', role: 'assistant', content: blocks, stop_reason: 'tool_use' }
					: { choices: [{ message: { role: 'assistant', content: null, tool_calls: [call], ...thoughts } }] };
			const fault = { kind: 'status', when: inBody(FIRST) } as const;
			chat.fail(
				OPERATIONS[operation],
				{ ...fault, status: 200, body },
				{ ...fault, status: 503, body: { error: { message: 'Busy.' } } },
			);
			const tools = toolsNode({ weather: () => 'rain' });
			const { items, error } = await run(operation, tools, { options: fallback(SECOND) });
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ model: 'sonata-3-large', toolRuns: [{ name: 'weather' }] });
			expect(bodies().map((sent) => sent.includes('Hm.'))).toEqual([false, true, false]);
		}
	});

	it('are set up once for all items, because n8n numbers the runs of each set by itself', async () => {
		const tools = toolsNode({ weather: ({ city }: { city?: string }) => `rain in ${city}` });
		const input = ['Paris', 'Rome', 'Oslo'].map((city) => ({ json: { city } }));
		const perCity = '={{ "What is the weather in \\"" + $json.city + "\\"?" }}';
		const { items } = await run('chatCompletion', tools, { prompt: perCity }, input);
		expect(items.map(({ json }) => (json.toolRuns as Array<{ result: string }>)[0].result)).toEqual(
			input.map(({ json }) => `rain in ${json.city}`),
		);
		expect(tools.supplied()).toBe(1);
	});

	it('leave the calls of functions that the user declares to the user', async () => {
		const declared = [{ functionDeclarations: [{ name: 'forecast', description: 'Tells the forecast' }] }];
		const options = { tools: JSON.stringify(declared) };
		const tools = toolsNode({ weather: () => 'rain' });
		const { items } = await run('generateContent', tools, { prompt: 'What is the forecast?', options });
		expect(items[0].json.toolCalls).toMatchObject([{ name: 'forecast' }]);
		expect(chat.emulator.journal.count()).toBe(1);
		// Also if a tool of the workflow is called beside it.
		const parts = ['weather', 'forecast'].map((name) => ({ functionCall: { name, args: {} } }));
		const body = { candidates: [{ content: { parts }, finishReason: 'STOP' }] };
		chat.fail('POST /v1beta/*', { kind: 'status', status: 200, body });
		const both = await run('generateContent', tools, { options });
		expect(both.items[0].json.toolCalls).toMatchObject([{ name: 'weather' }, { name: 'forecast' }]);
		expect(chat.emulator.journal.count()).toBe(2);
		const extraBodyFields = JSON.stringify({ tools: declared });
		chat.fail('POST /v1beta/*', { kind: 'status', status: 200, body });
		const extra = await run('generateContent', tools, { options: { extraBodyFields } });
		expect(extra.items[0].json.toolCalls).toMatchObject([{ name: 'weather' }, { name: 'forecast' }]);
		expect(chat.emulator.journal.count()).toBe(3);
	});
});
