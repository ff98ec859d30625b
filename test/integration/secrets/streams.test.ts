import type { IDataObject, StructuredChunk } from 'n8n-workflow';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KEY, leaksIn, SPELLINGS } from '../../unit/shared/secrets/spellings';
import { runSubNode } from '../engine/runSubNode';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { leaksOf } from './everyString';

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
const formats = Object.keys(FORMATS);

jest.mock(
	'@n8n/ai-node-sdk',
	() => ({
		BaseChatModel: class {
			tools = [];
		},
		supplyModel: (_context: unknown, response: unknown) => ({ response }),
		getParametersJsonSchema: () => ({}),
	}),
	{ virtual: true },
);

let server: Server;
let url: string;
let events: unknown[] = [];
/** Sent instead of the end of the answer. */
let failure: object | undefined;
let rate = 60_000;

beforeAll(async () => {
	server = createServer((request, response) => {
		request.resume();
		response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': KEY });
		const shown = failure ? [...events.slice(0, -2), failure] : events;
		response.end(shown.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
	failure = undefined;
});

const credential = () => ({ baseUrl: url, apiKey: KEY, requestsPerMinute: ++rate });
const model = { __rl: true, mode: 'id', value: 'aurora-4' };
/** A text in two parts, for every position. */
const splits = (text: string) =>
	Array.from({ length: text.length + 1 }, (_, at) => [text.slice(0, at), text.slice(at)]);

async function chat(operation: string, options: IDataObject = {}, settings = {}) {
	const chunks: StructuredChunk[] = [];
	const node = oneNode(
		'chat',
		{ operation, model, prompt: 'Hello', options: { stream: true, maxRetries: 0 }, ...options },
		settings,
	);
	const result = await runWorkflow(node, {
		credential: credential(),
		onChunk: (chunk) => chunks.push(chunk),
	});
	const live = chunks.map(({ content }) => content ?? '').join('');
	return { ...result, chunks, live };
}

/** The chat model of an agent, as the SDK of n8n gets it. */
interface Model {
	generate(messages: unknown[]): Promise<unknown>;
	stream(messages: unknown[]): AsyncIterable<unknown>;
}

async function askModel(format: string, method: keyof Model) {
	const messages = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
	return await runSubNode(
		'chatModel',
		{ model, format: format === 'message' ? 'messages' : 'chat', options: { maxRetries: 0, stream: true } },
		async (supplied: Model) => {
			if (method === 'generate') return await supplied.generate(messages);
			const texts: unknown[] = [];
			for await (const chunk of supplied.stream(messages)) texts.push((chunk as { delta?: string }).delta);
			return texts.join('');
		},
		{ credential: credential() },
	);
}

describe.each(formats)('A stream in the format of %s', (format) => {
	it('has no key wherever two deltas split it, live and in the output', async () => {
		for (const texts of splits(KEY)) {
			events = FORMATS[format]([`It is ${texts[0]}`, `${texts[1]}, I think.`]);
			const { live, items, ...result } = await chat(format);
			expect(live).toBe('It is [API key], I think.');
			expect(items[0].json.text).toBe('It is [API key], I think.');
			expect(await leaksOf(result)).toEqual([]);
		}
	});

	it.each(['continueRegularOutput', 'stopWorkflow'])(
		'has no key where it ends with an error (%s)',
		async (onError) => {
			failure = { type: 'error', error: { message: `Wrong key ${KEY}`, type: KEY, code: KEY } };
			events = FORMATS[format](['It is ', KEY.slice(0, 20), KEY.slice(20), '.', '']);
			const { live, items, error, ...result } = await chat(format, {}, { onError });
			expect(leaksIn(live)).toEqual([]);
			expect(live).toContain('It is [API key]');
			expect(JSON.stringify(items[0] ?? error)).toContain('[API key]');
			expect(await leaksOf({ ...result, error })).toEqual([]);
		},
	);
});

describe('A stream', () => {
	it.each(Object.entries(SPELLINGS))('has no key in one character per delta, %s', async (_name, spell) => {
		events = FORMATS.chatCompletion([...`It is ${spell(KEY)}, I think.`]);
		const { live, items, ...result } = await chat('chatCompletion');
		expect(items[0].json.text).toBe(live);
		expect(live).toMatch(/^It is .*\[API key\].*, I think\.$/);
		expect(leaksIn(live)).toEqual([]);
		expect(await leaksOf(result)).toEqual([]);
	});
});

describe.each(['chatCompletion', 'message'])('The chat model of an agent with %s', (format) => {
	it.each(['generate', 'stream'] as const)(
		'gives no key wherever two deltas split it (%s)',
		async (method) => {
			for (const texts of splits(KEY).filter((_split, at) => at % 4 === 0)) {
				events = FORMATS[format]([`It is ${texts[0]}`, `${texts[1]}, I think.`]);
				const { value, saved } = await askModel(format, method);
				expect(leaksIn(JSON.stringify(value))).toEqual([]);
				expect(JSON.stringify(value)).toContain('[API key]');
				expect(leaksIn(saved)).toEqual([]);
			}
		},
	);

	it.each(['generate', 'stream'] as const)('fails without the key (%s)', async (method) => {
		failure = { type: 'error', error: { message: `Wrong key ${KEY}`, type: KEY, code: KEY } };
		events = FORMATS[format](['It is ', KEY.slice(0, 20), KEY.slice(20), '.', '']);
		const { error, saved } = await askModel(format, method);
		expect(error?.message).toBeDefined();
		expect(leaksIn(`${error?.message} ${error?.description} ${error?.stack} ${saved}`)).toEqual([]);
		expect(error?.description ?? '').not.toContain('@n8n/ai-node-sdk');
		expect(saved).toContain('[API key]');
	});
});
