import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { startEmulator, type Emulator } from '../../../emulator';
import type { SdkChunk, SdkMessage, SdkResult } from '../../../nodes/Chat/model/sdk';
import { searchList } from '../engine/listSearch';
import { runSubNode } from '../engine/runSubNode';
import { nodeTypes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { useFastClock } from './fastClock';

jest.mock(
	'@n8n/ai-node-sdk',
	() => ({
		BaseChatModel: class {
			tools = [];
		},
		getParametersJsonSchema: () => ({}),
		supplyModel: (_context: object, model: object) => ({ response: model }),
	}),
	{ virtual: true },
);

useFastClock(20);

let second: Emulator;
let rate = 30_000;

beforeAll(async () => {
	second = await startEmulator({ v1Only: true });
	second.behaviour.set('*', { music: { pendingMs: 200, processingMs: 1_000 } });
});
afterEach(() => second.journal.clear());
afterAll(async () => await second.close());

/** A server that passes requests on to the second address until it is stopped. */
async function startFirst(): Promise<{ url: string; server: Server }> {
	const server = createServer((incoming, outgoing) => {
		const { method, url, headers } = incoming;
		const passed = request(second.url + url, { method, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode!, answer.headers);
			answer.pipe(outgoing);
		});
		incoming.pipe(passed);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function stop(server: Server): Promise<void> {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
}

/** The credential of a test of its own; nothing listens at its first address unless one is named. */
async function credential(baseUrl?: string) {
	const refused = await startFirst();
	await stop(refused.server);
	rate += 1;
	return {
		baseUrl: baseUrl ?? refused.url,
		alternateBaseUrl: second.url,
		apiKey: second.apiKey,
		requestsPerMinute: rate,
	};
}

const id = (value: string) => ({ __rl: true, mode: 'id', value });
const sent = (path: string) => second.journal.count((entry) => entry.path === path);
const question: SdkMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }];

const searches = Object.entries(nodeTypes).flatMap(([type, node]) =>
	Object.keys(node.methods?.listSearch ?? {}).map((method) => [type, method] as const),
);
const isOfV1 = ([, method]: readonly [string, string]) => /models|voices/i.test(method);

describe('A list in the editor, without a connection to the base address', () => {
	it.each(searches.filter(isOfV1))('is that of the other address (%s, %s)', async (type, method) => {
		const { results } = await searchList(nodeTypes[type], method, await credential());
		expect(results.length).toBeGreaterThan(0);
	});

	it.each(searches.filter((search) => !isOfV1(search)))(
		'says so if the other address does not have it (%s, %s)',
		async (type, method) => {
			await expect(searchList(nodeTypes[type], method, await credential())).rejects.toThrow(
				'Alternate Base URL was not tried, because it has only the paths under /v1.',
			);
			expect(second.journal.entries()).toEqual([]);
		},
	);
});

describe('A sub-node without a connection to the base address', () => {
	interface Model {
		generate(messages: SdkMessage[]): Promise<SdkResult>;
		stream(messages: SdkMessage[]): AsyncGenerator<SdkChunk>;
	}

	it.each([
		['chat', '/v1/chat/completions'],
		['messages', '/v1/messages'],
	])('asks the other one: Chat Model, %s format', async (format, path) => {
		const { value, error } = await runSubNode(
			'chatModel',
			{ model: id('aurora-4'), format, options: { maxRetries: 0 } },
			async (model: Model) => {
				const whole = await model.generate(question);
				const chunks: SdkChunk[] = [];
				for await (const chunk of model.stream(question)) chunks.push(chunk);
				return { whole, last: chunks.at(-1) };
			},
			{ credential: await credential() },
		);
		expect(error).toBeUndefined();
		expect(value).toMatchObject({ whole: { finishReason: 'stop' }, last: { type: 'finish' } });
		expect(sent(path)).toBe(2);
	});

	it('asks the other one: Embeddings Model', async () => {
		const { value } = await runSubNode(
			'embeddingsModel',
			{ model: id('embedding-3-small'), options: { maxRetries: 0 } },
			async (model: { embedQuery(text: string): Promise<number[]> }) => await model.embedQuery('Why?'),
			{ credential: await credential() },
		);
		expect(value?.length).toBeGreaterThan(0);
		expect(sent('/v1/embeddings')).toBe(1);
	});

	it('asks the other one: Reranker Model', async () => {
		interface Reranker {
			compressDocuments(documents: object[], query: string): Promise<object[]>;
		}
		const documents = ['A lamp', 'A chair'].map((pageContent) => ({ pageContent, metadata: {} }));
		const { value } = await runSubNode(
			'rerankerModel',
			{ model: id('reranker-v2-m3'), topN: 2, options: { maxRetries: 0 } },
			async (model: Reranker) => await model.compressDocuments(documents, 'lamp'),
			{ credential: await credential() },
		);
		expect(value).toHaveLength(2);
		expect(sent('/v1/rerank')).toBe(1);
	});
});

describe('A song whose base address goes away', () => {
	it('is asked for at the other one, and not ordered again', async () => {
		const first = await startFirst();
		const parameters = {
			operation: 'generate',
			model: id('music-v5'),
			prompt: 'A song about rain',
			waitForCompletion: true,
			options: { maxRetries: 0, pollIntervalSeconds: 5, maxWaitMinutes: 5 },
		};
		const running = runWorkflow(oneNode('music', parameters), { credential: await credential(first.url) });
		// The song has been ordered, and its order confirmed.
		while (!second.journal.entries().some(({ path }) => path.startsWith('/v1/music/tasks/')))
			await new Promise((resolve) => setTimeout(resolve, 5));
		await stop(first.server);
		const { items, error } = await running;
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ status: expect.stringMatching(/success/i) });
		expect(sent('/v1/music/generations')).toBe(1);
		expect(items).toHaveLength(2);
	});
});
