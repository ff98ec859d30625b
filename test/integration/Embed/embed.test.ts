import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../../emulator';
import { oneNode, runWorkflow } from '../engine/runWorkflow';

const EMBEDDINGS = 'POST /v1/embeddings';
let emulator: Emulator;
let testNumber = 0;
/** What is learnt of a credential's rate is kept; a fixed rate of its own makes each test's credential another one. */
const credential = () => ({
	baseUrl: emulator.url,
	apiKey: emulator.apiKey,
	requestsPerMinute: 1e7 + testNumber,
});

async function embed(input: INodeExecutionData[], parameters: object = {}, settings: object = {}) {
	const node = oneNode(
		'embed',
		{
			operation: 'embedText',
			model: { __rl: true, mode: 'id', value: 'embedding-3-small' },
			text: '={{ $json.text }}',
			output: 'item',
			options: { dimensions: 8 },
			...parameters,
		},
		settings,
	);
	return await runWorkflow(node, { credential: credential(), input });
}

const textOf = (id: number) => `This is row ${id} of the table`;
const rows = (count: number): INodeExecutionData[] =>
	Array.from({ length: count }, (_, id) => ({ json: { id, text: textOf(id) } }));
const toErrorOutput = { onError: 'continueErrorOutput' };

/** What the gateway gives for one text by itself. */
async function vectorOf(text: string, dimensions = 8): Promise<number[]> {
	const response = await fetch(`${emulator.url}/v1/embeddings`, {
		method: 'POST',
		headers: { authorization: `Bearer ${emulator.apiKey}`, 'content-type': 'application/json' },
		body: JSON.stringify({ model: 'embedding-3-small', input: text, dimensions }),
	});
	return ((await response.json()) as { data: Array<{ embedding: number[] }> }).data[0].embedding;
}

beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	testNumber += 1;
	emulator.behaviour.reset();
	emulator.journal.clear();
});

test('1,000 texts need 10 requests, and every vector returns to its item', async () => {
	const { items, error } = await embed(rows(1000));
	expect(error).toBeUndefined();
	expect(emulator.journal.count(EMBEDDINGS)).toBe(10);
	expect(items.map(({ json }) => json.id)).toEqual(rows(1000).map(({ json }) => json.id));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows(1000).map((_, item) => ({ item })));
	for (const place of [0, 99, 100, 537, 999]) {
		expect(items[place].json.embedding).toEqual(await vectorOf(textOf(place)));
	}
});

test('a refused text of 1,000 fails alone; all others get their vector', async () => {
	const bad = [7, 537, 538].map(textOf);
	emulator.behaviour.set(EMBEDDINGS, {
		faults: bad.map((text) => ({ kind: 'status', status: 400, when: `"${text}"`, times: 'always' })),
	});
	const { outputs, error } = await embed(rows(1000), {}, toErrorOutput);
	expect(error).toBeUndefined();
	expect(outputs[0]).toHaveLength(997);
	expect(outputs[1].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 7 }, { item: 537 }, { item: 538 }]);
	expect(outputs[1][0].json).toEqual({
		error: expect.stringContaining('refused the request'),
		details: expect.objectContaining({ status: 400 }),
	});
	expect(outputs[0].every(({ json }) => (json.embedding as number[]).length === 8)).toBe(true);
	expect(emulator.journal.count(EMBEDDINGS)).toBeLessThan(10 + 3 * 16);
});

test('a text that the gateway finds too long fails alone, by the gateway’s own rules', async () => {
	const input = rows(20);
	input[3].json.text = 'word '.repeat(7_000);
	const { outputs } = await embed(input, {}, toErrorOutput);
	expect(outputs[0]).toHaveLength(19);
	expect(outputs[1]).toHaveLength(1);
	expect(outputs[1][0]).toMatchObject({ pairedItem: { item: 3 }, json: { error: /tokens/ } });
});

test('a wrong model costs one request more per run, not two per text', async () => {
	const { outputs } = await embed(
		rows(300),
		{ model: { __rl: true, mode: 'id', value: 'aurora-4' } },
		toErrorOutput,
	);
	expect(outputs[1]).toHaveLength(300);
	expect(outputs[1][299].json.error).toContain('cannot be used for embeddings');
	expect(emulator.journal.count(EMBEDDINGS)).toBe(4);
});

test('an item without text fails alone and is not sent', async () => {
	const input = rows(4);
	input[1].json.text = '  ';
	delete input[2].json.text;
	const { outputs } = await embed(input, {}, toErrorOutput);
	expect(outputs[0].map(({ json }) => json.id)).toEqual([0, 3]);
	expect(outputs[1].map(({ json }) => json.error)).toEqual(['Text is empty', 'Text is empty']);
	expect(emulator.journal.entries(EMBEDDINGS)[0].body).toMatchObject({
		input: [rows(4)[0].json.text, rows(4)[3].json.text],
	});
});

test('when the run stops at an empty text, nothing is sent', async () => {
	const input = rows(4);
	input[2].json.text = '';
	const { error } = await embed(input);
	expect(error?.message).toBe('Text is empty [item 2]');
	expect(emulator.journal.count()).toBe(0);
});

test('when the run stops at a failing text, finished vectors are kept in the thrown error', async () => {
	emulator.behaviour.set(EMBEDDINGS, {
		faults: [{ kind: 'status', status: 400, when: 'row 25 of', times: 'always' }],
	});
	const { error } = await embed(rows(40), { options: { dimensions: 8, batchSize: 10, maxConcurrency: 1 } });
	expect(error?.message).toContain('[item 25]');
	const finished = error?.context.finishedResults as unknown as Array<{ item: number; json: object }>;
	expect(finished.slice(0, 20).map(({ item }) => item)).toEqual(rows(20).map((_, item) => item));
	expect(finished[0].json).toMatchObject({ id: 0, embedding: expect.any(Array) });
	expect(JSON.stringify(emulator.journal.entries().map(({ body }) => body))).not.toContain('row 35 of');
});

test('base64 gives the same numbers as plain ones; both can be asked for', async () => {
	for (const encodingFormat of ['float', 'base64', 'default']) {
		emulator.journal.clear();
		const { items } = await embed(rows(2), { options: { dimensions: 16, encodingFormat } });
		expect(emulator.journal.entries(EMBEDDINGS)[0].body).toEqual({
			model: 'embedding-3-small',
			input: rows(2).map(({ json }) => json.text),
			dimensions: 16,
			...(encodingFormat === 'default' ? {} : { encoding_format: encodingFormat }),
		});
		expect(items[1].json.embedding).toEqual(await vectorOf(textOf(1), 16));
	}
});

test('whole items: fields, files and the tokens used stay beside the vector', async () => {
	const binary = { data: { data: 'aGk=', mimeType: 'text/plain', fileName: 'hi.txt' } };
	const input = [{ json: { id: 1, text: 'red wine', model: 'mine' }, binary }];
	const { items } = await embed(input, { vectorField: 'meaning', options: { dimensions: 4 } });
	expect(items[0]).toEqual({
		json: {
			id: 1,
			text: 'red wine',
			model: 'mine',
			meaning: await vectorOf('red wine', 4),
			meaningUsage: { inputTokens: 2, totalTokens: 2, textsInRequest: 1 },
		},
		binary,
		pairedItem: { item: 0 },
	});
});

test('the vector alone, simplified and as the gateway sent it', async () => {
	const simple = await embed(rows(1), { output: 'vector', simplify: true });
	expect(simple.items[0].json).toEqual({
		embedding: await vectorOf(textOf(0)),
		dimensions: 8,
		model: 'embedding-3-small',
		usage: { inputTokens: expect.any(Number), totalTokens: expect.any(Number), textsInRequest: 1 },
	});
	const raw = await embed(rows(1), {
		output: 'vector',
		simplify: false,
		options: { encodingFormat: 'base64', dimensions: 8 },
	});
	expect(raw.items[0].json).toMatchObject({
		object: 'embedding',
		index: 0,
		embedding: expect.stringMatching(/^[\w+/]+=*$/),
		usage: { total_tokens: expect.any(Number) },
	});
});

test('items with different settings do not share a request', async () => {
	const input = rows(6).map(({ json }) => ({ json: { ...json, size: json.id === 3 ? 4 : 8 } }));
	const { items } = await embed(input, { options: { dimensions: '={{ $json.size }}' } });
	expect(items.map(({ json }) => (json.embedding as number[]).length)).toEqual([8, 8, 8, 4, 8, 8]);
	expect(emulator.journal.count(EMBEDDINGS)).toBe(2);
});

test('equal texts are sent once, and their items do not share one list', async () => {
	const { items } = await embed(['a cat', 'a dog', 'a cat'].map((text) => ({ json: { text } })));
	expect(emulator.journal.entries(EMBEDDINGS)[0].body).toMatchObject({ input: ['a cat', 'a dog'] });
	expect(items[2].json.embedding).toEqual(items[0].json.embedding);
	expect(items[2].json.embedding).not.toBe(items[0].json.embedding);
});

test('a vector of another length than asked for is a failure that keeps the vector', async () => {
	emulator.behaviour.set(EMBEDDINGS, {
		faults: [{ kind: 'status', status: 200, body: { data: [{ index: 0, embedding: [1, 2] }] } }],
	});
	const { outputs } = await embed(rows(1), {}, toErrorOutput);
	expect(outputs[1][0].json).toMatchObject({
		error: expect.stringContaining('the vector has 2 numbers, and Dimensions asks for 8'),
		details: { partial: { embedding: [1, 2] } },
	});
});

test.each<[string, object, string]>([
	['an index out of range', { data: [{ index: 2, embedding: [1] }] }, 'index 2'],
	['no list', { data: {} }, '"data"'],
	['a message instead of vectors', { error: { message: 'no capacity' } }, 'no capacity'],
])('%s in an answer is a clear failure', async (_what, body, message) => {
	emulator.behaviour.set(EMBEDDINGS, { faults: [{ kind: 'status', status: 200, body }] });
	const { error } = await embed(rows(2));
	expect(error?.message).toContain(message);
});

test('a request that was lost on the way back is not sent again', async () => {
	emulator.behaviour.set(EMBEDDINGS, { faults: [{ kind: 'cut', afterBytes: 100 }] });
	const { outputs } = await embed(rows(150), {}, toErrorOutput);
	expect(emulator.journal.count(EMBEDDINGS)).toBe(2);
	expect(outputs[0].length + outputs[1].length).toBe(150);
	expect(outputs[1][0].json.details).toMatchObject({ kind: 'interrupted', mayHaveBeenCarriedOut: true });
});

test('a busy gateway is waited for', async () => {
	emulator.behaviour.set(EMBEDDINGS, {
		faults: [{ kind: 'status', status: 429, headers: { 'retry-after-ms': '50' }, times: 2 }],
	});
	const { items } = await embed(rows(300));
	expect(items).toHaveLength(300);
});

test('cancelling stops at once and gives every item one result', async () => {
	emulator.behaviour.set(EMBEDDINGS, { latencyMs: 10_000 });
	const node = oneNode(
		'embed',
		{
			operation: 'embedText',
			model: { __rl: true, mode: 'id', value: 'embedding-3-small' },
			text: '={{ $json.text }}',
			options: { maxConcurrency: 2, batchSize: 10 },
		},
		{ onError: 'continueRegularOutput' },
	);
	let cancelledAt = 0;
	const result = await runWorkflow(node, {
		credential: credential(),
		input: rows(100),
		onStart: (cancel) =>
			void emulator.journal.until(2).then(() => {
				cancelledAt = performance.now();
				cancel();
			}),
	});
	expect(performance.now() - cancelledAt).toBeLessThan(300);
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual(rows(100).map((_, item) => ({ item })));
	const sent = result.items.filter(({ json }) => (json.details as IDataObject).mayHaveBeenCarriedOut);
	expect(sent).toHaveLength(20);
	expect(emulator.journal.count()).toBe(2);
});
