import type { IBinaryData, INodeParameters, StructuredChunk } from 'n8n-workflow';
import { KEY, SPELLINGS, leaksIn } from '../../unit/shared/secrets/spellings';
import { startLocalServer } from '../../localServer';
import { chosen } from '../engine/chosen';
import { type Model, user } from '../engine/fakeSdk';
import { searches, searchList } from '../engine/listSearch';
import { retryRun } from '../engine/retry';
import { runSubNode } from '../engine/runSubNode';
import { nodeTypes } from '../engine/nodeTypes';
import { type RunResult, fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { useFastClock } from '../faults/fastClock';
import { type OperationCase, operationCases, titleOf, workflowOf } from '../faults/operations';
import { ECHOES, type Echo, type EchoGateway, startEchoGateway } from './echoGateway';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('../engine/fakeSdk'), { virtual: true });

useFastClock(40);
const gateway = useEmulator({ apiKey: KEY });

let echoing: EchoGateway;
beforeAll(async () => {
	echoing = await startEchoGateway();
});
afterAll(async () => await echoing.close());

/** All ways to read answers; the other operations of Utilities differ only in their paths. */
const operations = operationCases.filter(
	({ node, operation }) => node !== 'utilities' || /news|translat|qr|custom|hash/i.test(operation),
);
/** Operations whose output has no text of the gateway. */
const HAS_NO_TEXT = /create|joinItems|rerank|embed|only submitting|voiceModel getMany|worldNewsRss|qrCode/;
/** Each operation with its values, its files, and some of the other ways; each way with several operations. */
const SHARE = 4;
const HAS_FILES = /audio|image|track/;
const isPair = ({ reader }: OperationCase, row: number, echo: Echo) =>
	echo === 'in files'
		? HAS_FILES.test(reader ?? '')
		: echo === 'in every value' || (row + ECHOES.indexOf(echo)) % SHARE === 0;
const pairs = operations.flatMap((operation, row) =>
	ECHOES.filter((echo) => isPair(operation, row, echo)).map(
		(echo) => [titleOf(operation), echo, operation] as const,
	),
);

async function run(operation: OperationCase, output: object, settings = {}): Promise<RunResult> {
	const workflow = workflowOf(operation, { ...output, options: { maxRetries: 0 } }, settings);
	return await runWorkflow(workflow, {
		credential: { ...gateway.credential(), baseUrl: echoing.url },
		input: operation.input?.(echoing.emulator),
	});
}

describe('A gateway that repeats the key', () => {
	it.each(pairs)('to %s %s finds it nowhere', async (title, echo, operation) => {
		echoing.echo = echo;
		echoing.asked = [];
		const simple = await run(operation, { simplify: true }, { onError: 'continueRegularOutput' });
		const complete = await run(operation, { simplify: false });
		expect([...(await leaksOf(simple)), ...(await leaksOf(complete))]).toEqual([]);
		expect(echoing.asked).toEqual([]);
		if (echo === 'in an error 400' || (echo === 'in every value' && !HAS_NO_TEXT.test(title))) {
			expect(textsIn([complete.outputs, complete.error])).toContain('[API key]');
		}
	});
});

const spelled = Object.values(SPELLINGS).map((spell) => spell(KEY));
const BODIES: Record<string, unknown> = {
	// Each model is listed once, also when the keys in two IDs are removed.
	searchModels: { data: spelled.map((id, index) => ({ id: `${index}-${id}` })) },
	searchVoices: { voice_characters: spelled.map((name) => ({ name, description: name, public: true })) },
	searchLanguages: { code: 200, message: KEY, data: spelled.map((code) => ({ code, label: code })) },
	searchMusicCharts: { code: 200, message: KEY, data: spelled.map((id) => ({ id, name: id })) },
};

/** Opens a list while the gateway answers with this. */
async function search(type: string, method: string, status: number, body: unknown) {
	const headers = { 'x-request-id': KEY };
	gateway.fail('/*', { kind: 'status', status, body, headers, times: 'always' });
	return await searchList(nodeTypes[type], method, gateway.credential());
}

describe('A list in the editor', () => {
	it.each(searches)('has no key in its entries (%s, %s)', async (type, method) => {
		const { results } = await search(type, method, 200, BODIES[method]);
		expect(results.length).toBeGreaterThanOrEqual(spelled.length);
		expect(leaksIn(JSON.stringify(results))).toEqual([]);
		expect(leaksIn(results.map(({ name, value }) => `${name} ${value}`).join('\n'))).toEqual([]);
	});

	it.each(searches)('has no key in its error (%s, %s)', async (type, method) => {
		const body = { error: { message: spelled.join(' '), type: KEY, code: KEY } };
		const error = await search(type, method, 400, body).catch((thrown: Error) => thrown);
		expect(leaksIn(`${(error as Error).message}\n${(error as Error).stack}`)).toEqual([]);
		expect((error as Error).message).toContain('[API key]');
	});
});

/** The events of one answer in each format, with the texts as deltas. */
const FORMATS: Record<string, (texts: string[]) => unknown[]> = {
	chatCompletion: (texts) => [
		...texts.map((content) => ({ choices: [{ index: 0, delta: { content } }] })),
		{ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
	],
	message: (texts) => [
		{ type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } },
		// Each text is a block of its own: the parts of an answer are joined as well.
		...texts.flatMap((text, index) => [
			{ type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
			{ type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
			{ type: 'content_block_stop', index },
		]),
		{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
		{ type: 'message_stop' },
	],
	generateContent: (texts) => [
		...texts.map((text) => ({ candidates: [{ index: 0, content: { parts: [{ text }] } }] })),
		{ candidates: [{ index: 0, content: { parts: [] }, finishReason: 'STOP' }] },
	],
};
/** Two deltas that split the key; the unit tests split every spelling at every position. */
const SPLIT = [`It is ${KEY.slice(0, 20)}`, `${KEY.slice(20)}, I think.`];
const CLEAN = 'It is [API key], I think.';
const failure = { type: 'error', error: { message: `Wrong key ${KEY}`, type: KEY, code: KEY } };
/** An answer that ends with an error. */
const failing = (format: string) => [
	...FORMATS[format](['It is ', KEY.slice(0, 20), KEY.slice(20), '.', '']).slice(0, -2),
	failure,
];

/** Lets the gateway stream these events. */
function streams(events: unknown[]): void {
	const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
	const contentType = 'text/event-stream';
	gateway.fail('/*', { kind: 'status', status: 200, contentType, body, times: 'always' });
}

const common = { model: chosen('aurora-4'), options: { stream: true, maxRetries: 0 } };

async function chat(operation: string, settings = {}) {
	const chunks: StructuredChunk[] = [];
	const result = await runWorkflow(oneNode('chat', { operation, prompt: 'Hello', ...common }, settings), {
		credential: gateway.credential(),
		onChunk: (chunk) => chunks.push(chunk),
	});
	return { ...result, live: chunks.map(({ content }) => content ?? '').join('') };
}

describe.each(Object.keys(FORMATS))('A stream in the format of %s', (format) => {
	it('has no key that two deltas split, live and in the output', async () => {
		streams(FORMATS[format](SPLIT));
		const { live, items, ...result } = await chat(format);
		expect([live, items[0].json.text]).toEqual([CLEAN, CLEAN]);
		expect(await leaksOf(result)).toEqual([]);
	});

	it.each(['continueRegularOutput', 'stopWorkflow'])(
		'has no key where it ends with an error (%s)',
		async (onError) => {
			streams(failing(format));
			const { live, items, error, ...result } = await chat(format, { onError });
			expect(leaksIn(live)).toEqual([]);
			expect(live).toContain('It is [API key]');
			expect(JSON.stringify(items[0] ?? error)).toContain('[API key]');
			expect(await leaksOf({ ...result, error })).toEqual([]);
		},
	);
});

describe.each([
	['chatCompletion', 'generate'],
	['chatCompletion', 'stream'],
	['message', 'generate'],
	['message', 'stream'],
] as const)('The chat model of an agent with %s (%s)', (format, method) => {
	const ask = async () =>
		await runSubNode(
			'chatModel',
			{ ...common, format: format === 'message' ? 'messages' : 'chat' },
			async (model: Model) => {
				if (method === 'generate') return await model.generate([user('Hello')]);
				const texts: unknown[] = [];
				for await (const chunk of model.stream([user('Hello')])) texts.push('delta' in chunk && chunk.delta);
				return texts.join('');
			},
			{ credential: gateway.credential() },
		);

	it('gives no key that two deltas split', async () => {
		streams(FORMATS[format](SPLIT));
		const { value, saved } = await ask();
		expect(leaksIn(`${JSON.stringify(value)} ${saved}`)).toEqual([]);
		expect(JSON.stringify(value)).toContain('[API key]');
	});

	it('fails without the key', async () => {
		streams(failing(format));
		const { error, saved } = await ask();
		expect(error?.message).toBeDefined();
		expect(leaksIn(`${error?.message} ${error?.description} ${error?.stack} ${saved}`)).toEqual([]);
		expect(error?.description ?? '').not.toContain('@n8n/ai-node-sdk');
		expect(saved).toContain('[API key]');
	});
});

const SECRET = 'token-4711-abcdef';
const withHeaders = (credential: object) => ({
	...credential,
	headers: { values: [{ name: 'X-Route', value: SECRET }] },
});
const tagged = (prompt: string, tag: string, more: INodeParameters = {}) =>
	oneNode('chat', {
		operation: 'chatCompletion',
		model: chosen('aurora-4'),
		prompt,
		options: { headers: { values: [{ name: 'x-tag', value: tag }] }, ...more },
	});

describe('Headers', () => {
	it('of the credential and of the node reach the gateway, and those of the credential never leave the node', async () => {
		const { items, saved } = await runWorkflow(tagged(`Say ${SECRET}.`, 'night-run'), {
			credential: withHeaders(gateway.credential()),
		});
		const [{ headers }] = gateway.emulator.journal.entries();
		expect(headers).toMatchObject({ 'x-route': SECRET, 'x-tag': 'night-run', authorization: 'valid' });
		expect(JSON.stringify(items)).toContain('[API key]');
		expect(JSON.stringify(items)).not.toContain(SECRET);
		// The prompt itself is a parameter of the workflow, and not part of the execution.
		expect(saved).not.toContain(SECRET);
	});

	it('may be in the link of a file, which is downloaded from it, also by a retry', async () => {
		let isThere = false;
		const asked: string[] = [];
		const server = await startLocalServer(({ method, url }, response) => {
			asked.push(`${method} ${url}`);
			if (method === 'POST')
				response.end(JSON.stringify({ data: [{ url: `${server.url}/${SECRET}/a.png` }] }));
			else response.writeHead(isThere ? 200 : 404).end(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
		});
		const workflow = oneNode('image', { operation: 'generate', model: chosen('image-2'), prompt: 'A fox' });
		const run = { credential: { ...withHeaders(gateway.credential()), baseUrl: server.url } };
		const failed = await runWorkflow(workflow, run);
		expect(failed.error?.message).toContain('status 404');
		isThere = true;
		const { items, saved } = await retryRun(workflow, failed, run);
		await server.close();
		expect(items[0].binary?.data.mimeType).toBe('image/png');
		expect(asked.filter((request) => request.startsWith('POST'))).toHaveLength(1);
		expect(new Set(asked.slice(1))).toEqual(new Set([`GET /${SECRET}/a.png`]));
		expect(failed.saved + saved).not.toContain(SECRET);
	});

	it('do not change what a retry pays for', async () => {
		const body = { error: { message: 'No.' } };
		gateway.fail('POST /v1/*', { kind: 'status', status: 400, when: 'Row 1.', body });
		const run = { credential: gateway.credential(), input: [0, 1].map((row) => ({ json: { row } })) };
		const prompt = '=Row {{ $json.row }}.';
		const failed = await runWorkflow(tagged(prompt, 'first', { parallelRequests: 1 }), run);
		expect(failed.error?.message).toContain('No.');
		const { items } = await retryRun(tagged(prompt, 'second'), failed, run);
		expect(items).toHaveLength(2);
		const tags = gateway.emulator.journal.entries().map(({ headers }) => headers['x-tag']);
		expect(tags).toEqual(['first', 'first', 'second']);
	});
});

/** The spellings of the key in everything that a run gave: run data, context, error, hints, and all stored files. */
async function leaksOf(result: Pick<RunResult, 'run' | 'error' | 'hints'>): Promise<string[]> {
	const texts: string[] = [];
	const files: IBinaryData[] = [];
	collect([result.run.data, result.error, result.hints], texts, files);
	for (const file of files) texts.push((await fileBytes(file)).toString('latin1'));
	return leaksIn(texts.join('\n'));
}

/** All texts in a value: names of fields and hidden properties of errors included. */
function textsIn(value: unknown): string {
	const texts: string[] = [];
	collect(value, texts, []);
	return texts.join('\n');
}

function collect(root: unknown, texts: string[], files: IBinaryData[]): void {
	const open = [root];
	const seen = new Set<unknown>();
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string') texts.push(value);
		if (typeof value !== 'object' || value === null || seen.has(value)) continue;
		seen.add(value);
		if (Buffer.isBuffer(value)) {
			texts.push(value.toString('latin1'));
			continue;
		}
		if ('mimeType' in value && 'id' in value) files.push(value as IBinaryData);
		for (const name of Object.getOwnPropertyNames(value)) {
			texts.push(name);
			open.push((value as Record<string, unknown>)[name]);
		}
	}
}
