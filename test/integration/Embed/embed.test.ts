import type { INodeExecutionData } from 'n8n-workflow';
import { chosen } from '../engine/chosen';
import { retryRun } from '../engine/retry';
import { runWorkflow } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';

const gateway = useNode('embed', {
	operation: 'embedText',
	model: chosen('embedding-3-small'),
	text: '={{ $json.text }}',
	options: { dimensions: 8 },
});
const EMBEDDINGS = 'POST /v1/embeddings';
const embed = async (
	input: INodeExecutionData[],
	parameters: object = {},
	settings: object = {},
	credential = gateway.credential(),
) => await gateway.run(parameters, settings, { input, credential });

const textOf = (id: number) => `This is row ${id} of the table`;
const rows = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, id) => ({ json: { id, text: textOf(id) } }));
const toErrorOutput = { onError: 'continueErrorOutput' };

/** The gateway's vector for a single text. */
async function vectorOf(text: string, dimensions = 8): Promise<number[]> {
	const response = await fetch(`${gateway.emulator.url}/v1/embeddings`, {
		method: 'POST',
		headers: { authorization: `Bearer ${gateway.emulator.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ model: 'embedding-3-small', input: text, dimensions }),
	});
	return ((await response.json()) as { data: Array<{ embedding: number[] }> }).data[0].embedding;
}

describe('Embed Text', () => {
	it('sends 1,000 texts in 10 requests and adds each vector to its item', async () => {
		const { items, error } = await embed(rows(1000));
		expect(error).toBeUndefined();
		expect(gateway.emulator.journal.count(EMBEDDINGS)).toBe(10);
		expect(items.map(({ json }) => json.id)).toEqual(rows(1000).map(({ json }) => json.id));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows(1000).map((_, item) => ({ item })));
		for (const place of [0, 99, 100, 537, 999]) {
			expect(items[place].json.embedding).toEqual(await vectorOf(textOf(place)));
		}
	});

	it('says what of a response could not be read, and has a long rest of it with its first vector', async () => {
		const entry = { index: 1, embedding: Array(8).fill(1) };
		const rest = { log: 'x'.repeat(20_000), usage: { prompt_tokens: 'many' } };
		const body = { data: [{ index: 0, embedding: 'x' }, entry], ...rest };
		gateway.fail(EMBEDDINGS, { kind: 'status', status: 200, body });
		const raw = { output: 'vector', simplify: false };
		const { outputs, hints } = await embed(rows(2), raw, toErrorOutput);
		expect(outputs[0].map(({ json }) => json)).toEqual([{ ...entry, response: rest }]);
		expect(hints.join()).toContain('could not be read and were left out: usage.prompt_tokens (row 2 of 2)');
	});

	it('keeps nothing of an item that tells of an earlier vector or failure', async () => {
		const body = { data: [{ index: 0, embedding: Array(8).fill(1) }] };
		gateway.fail(EMBEDDINGS, { kind: 'status', status: 200, body });
		const earlier = { embeddingInputTokens: 3, embeddingTotalTokens: 3, embeddingTextsInRequest: 9 };
		const [{ json }] = rows(1);
		const failure = { error: 'Bad', details: { kind: 'request' } };
		const { items } = await embed([{ json: { ...json, ...earlier, ...failure } }]);
		expect(items.map((item) => item.json)).toEqual([{ ...json, embedding: Array(8).fill(1) }]);
	});

	it('counts an item as done, even if its row calls something else cancelled', async () => {
		const { hints } = await embed(rows(2).map(({ json }) => ({ json: { ...json, cancelled: true } })));
		expect(hints).toEqual([expect.stringMatching(/: 2 done\. /)]);
	});

	it('reads more of an answer than of other JSON', async () => {
		const data = [{ index: 0, embedding: Array(8).fill(1) }];
		const answer = { data, usage: { total_tokens: 7 }, model: 'of-the-gateway' };
		const body = `${' '.repeat(40_000_000)}${JSON.stringify(answer)}`;
		gateway.fail(EMBEDDINGS, { kind: 'status', status: 200, body, contentType: 'application/json' });
		const { items } = await embed(rows(1), { output: 'vector' });
		const expected = { dimensions: 8, totalTokens: 7, model: 'of-the-gateway' };
		expect(items[0].json).toMatchObject({ embedding: Array(8).fill(1), ...expected });
	});

	it('names the model that was asked if the gateway names none', async () => {
		const body = JSON.stringify({ data: [{ index: 0, embedding: Array(8).fill(1) }] });
		gateway.fail(EMBEDDINGS, { kind: 'status', status: 200, body, contentType: 'application/json' });
		const { items } = await embed(rows(1), { output: 'vector' });
		expect(items[0].json.model).toBe('embedding-3-small');
	});

	it('sends the settings of each item only with its own texts, and returns the items in their order', async () => {
		const input = rows(4);
		input[2].json.text = textOf(0);
		const headers = { values: [{ name: 'X-Tag', value: '={{ $json.id % 2 ? "odd" : "even" }}' }] };
		const dimensions = '={{ $json.id === 2 ? 4 : 8 }}';
		const { items } = await embed(input, { options: { headers, dimensions, parallelRequests: 1 } });
		const found = items.map(({ json }) => [json.id, (json.embedding as number[]).length]);
		expect(found).toEqual([0, 1, 2, 3].map((id) => [id, id === 2 ? 4 : 8]));
		const sent = gateway.emulator.journal.entries(EMBEDDINGS).map(({ headers: all, body }) => {
			return [all['x-tag'], (body as { input: string[] }).input];
		});
		expect(sent).toEqual([
			['even', [textOf(0)]],
			['odd', [textOf(1), textOf(3)]],
			['even', [textOf(0)]],
		]);
	});

	it('fails only an item without text, and does not send it', async () => {
		const input = rows(4);
		input[1].json.text = '  ';
		delete input[2].json.text;
		const { outputs } = await embed(input, {}, toErrorOutput);
		expect(outputs[0].map(({ json }) => json.id)).toEqual([0, 3]);
		expect(outputs[1].map(({ json }) => json.error)).toEqual(['Text is empty', 'Text is empty']);
		expect(gateway.emulator.journal.entries(EMBEDDINGS)[0].body).toMatchObject({
			input: [rows(4)[0].json.text, rows(4)[3].json.text],
		});
	});

	it.each([0, 1])('fails only the item whose options cannot be evaluated: %d', async (bad) => {
		const dimensions = `={{ $json.id === ${bad} ? $('Nowhere').first().json.size : 8 }}`;
		const { outputs } = await embed(rows(3), { options: { dimensions } }, toErrorOutput);
		expect(outputs[0].map(({ json }) => json.id)).toEqual([0, 1, 2].filter((id) => id !== bad));
		expect(outputs[1].map(({ pairedItem }) => pairedItem)).toEqual([{ item: bad }]);
		const stopped = await embed(rows(3), { options: { dimensions } });
		expect(stopped.error?.message).toContain(`(row ${bad + 1} of 3)`);
		expect(gateway.sent(EMBEDDINGS)).toHaveLength(1);
	});

	it.each([
		{ known: 'the answer to the harmless text', batchSize: 100, bad: 0, probes: 1 },
		{ known: 'that of other texts', batchSize: 2, bad: 2, probes: 0 },
	])('asks once whether a text is the cause: a retry knows $known', async ({ batchSize, bad, probes }) => {
		const body = { error: { message: 'too long' } };
		gateway.fail(EMBEDDINGS, { kind: 'status', status: 400, body, when: textOf(bad), times: 'always' });
		const workflow = gateway.workflow({ options: { dimensions: 8, batchSize, parallelRequests: 1 } });
		const run = { credential: gateway.credential() };
		const failed = await runWorkflow(workflow, { ...run, input: rows(4) });
		const retried = await retryRun(workflow, failed, run);
		expect(retried.error?.message).toContain('too long');
		const sent = gateway.sent(EMBEDDINGS).map(({ input }) => input as string[]);
		expect(sent.filter((input) => input.includes('text'))).toHaveLength(probes);
		expect(sent.filter((input) => input.join() === textOf(bad))).toHaveLength(2);
	});

	it('asks for plain numbers, and leaves the field out once a gateway has rejected it for a model', async () => {
		const body = { error: { message: 'Unknown field "encoding_format"', type: 'invalid_request_error' } };
		gateway.fail(EMBEDDINGS, { kind: 'status', status: 400, body, when: 'encoding_format', times: 'always' });
		const credential = gateway.credential();
		const formats = () => gateway.sent(EMBEDDINGS).map((sent) => sent.encoding_format ?? null);
		const options = { dimensions: 8, batchSize: 2, parallelRequests: 1 };
		for (const [model, expected] of [
			['embedding-3-small', ['float', null, null]],
			['embedding-3-small', ['float', null, null, null, null]],
			['embedding-3-large', ['float', null, null, null, null, 'float', null, null]],
		] as const) {
			const { error } = await embed(rows(4), { options, model: chosen(model) }, {}, credential);
			expect(error).toBeUndefined();
			expect(formats()).toEqual(expected);
		}
	});

	it('never leaves out a format of Extra Body Fields, even if the gateway has rejected floats (Perplexity)', async () => {
		const body = { error: { message: "encoding_format should be 'base64_int8' or 'base64_binary'" } };
		gateway.fail(EMBEDDINGS, { kind: 'status', status: 400, body, when: '"float"' });
		const credential = gateway.credential();
		await embed(rows(1), {}, {}, credential);
		const options = { dimensions: 8, extraBodyFields: '{"encoding_format": "base64_binary"}' };
		await embed(rows(1), { options }, {}, credential);
		const formats = gateway.sent(EMBEDDINGS).map(({ encoding_format: format }) => format);
		expect(formats).toEqual(['float', undefined, 'base64_binary']);
	});

	it('leaves the field out for Jina AI, whose sentence does not name it (QuantumNous/new-api#1941)', async () => {
		const complaint = { field: 'body -> x -> encoding_format', message: 'Extra inputs are not permitted' };
		const body = { detail: 'Validation error: Extra inputs are not permitted.', errors: [complaint] };
		gateway.fail(EMBEDDINGS, { kind: 'status', status: 422, body, when: 'encoding_format', times: 'always' });
		const { error } = await embed(rows(1));
		expect(error).toBeUndefined();
	});

	it('takes Base64 for bytes only if Extra Body Fields ask for another format than floats', async () => {
		const floats = Buffer.from(Float32Array.of(0.25, 0.5).buffer).toString('base64');
		const body = { data: [{ index: 0, embedding: floats }] };
		gateway.fail(EMBEDDINGS, { kind: 'status', status: 200, body, times: 'always' });
		const { error } = await embed(rows(1));
		expect(error?.message).toContain('the vector has 2 numbers, but Dimensions is 8');
		const extraBodyFields = '{"output_dtype": "int8", "dimensions": 8}';
		const options = { extraBodyFields, batchSize: 1, parallelRequests: 1 };
		const rejection = { kind: 'status', status: 400, when: textOf(1) } as const;
		gateway.fail(EMBEDDINGS, rejection, { kind: 'status', status: 200, body, times: 'always' });
		const workflow = gateway.workflow({ options, output: 'vector' });
		const run = { credential: gateway.credential() };
		// A retry reads the first vector as it was kept.
		const { items } = await retryRun(workflow, await runWorkflow(workflow, { ...run, input: rows(2) }), run);
		const embedding = [0, 0, -128, 62, 0, 0, 0, 63];
		expect(items.map(({ json }) => json)).toMatchObject([{ embedding }, { embedding }]);
	});

	it('returns complete items with their fields and files, the vector, and the tokens used', async () => {
		const binary = { data: { data: 'aGk=', mimeType: 'text/plain', fileName: 'hi.txt' } };
		const input = [{ json: { id: 1, text: 'red wine', model: 'mine' }, binary }];
		const { items } = await embed(input, { vectorField: ' meaning ', options: { dimensions: 4 } });
		expect(items[0]).toEqual({
			json: {
				id: 1,
				text: 'red wine',
				model: 'mine',
				meaning: await vectorOf('red wine', 4),
				meaningInputTokens: 2,
				meaningTotalTokens: 2,
				meaningTextsInRequest: 1,
			},
			binary,
			pairedItem: { item: 0 },
		});
	});
});
