import { chosen } from './chosen';
import type { SdkChunk, SdkTool } from '../../../nodes/Chat/model/sdk';
import * as fakeSdk from './fakeSdk';
import { type Model, TOOLS, user } from './fakeSdk';
import { runSubNode, type SubNodeRun } from './runSubNode';
import { useEmulator } from './useEmulator';

let sdk: object;
jest.mock('@n8n/ai-node-sdk', () => sdk, { virtual: true });
beforeEach(() => {
	jest.resetModules();
	sdk = fakeSdk;
});

const CHAT = 'POST /v1/chat/completions';
const gateway = useEmulator();

/** The fields of a request that the tests check. */
interface Body extends Record<string, unknown> {
	input: string[];
	documents: string[];
}
const sent = (route: string) => gateway.emulator.journal.entries(route).map(({ body }) => body as Body);

const chat = async <T>(
	use: (model: Model) => Promise<T>,
	parameters: object = {},
	apiKey?: string,
): Promise<SubNodeRun<T>> =>
	await runSubNode(
		'chatModel',
		{ model: chosen('aurora-4'), format: 'chat', options: {}, ...parameters },
		use,
		{ credential: { ...gateway.credential(), ...(apiKey ? { apiKey } : {}) } },
	);

async function all(chunks: AsyncIterable<SdkChunk>): Promise<SdkChunk[]> {
	const list: SdkChunk[] = [];
	for await (const chunk of chunks) list.push(chunk);
	return list;
}

const textOf = (chunks: SdkChunk[]) => chunks.map((chunk) => ('delta' in chunk ? chunk.delta : '')).join('');

describe('Unified AI Chat Model', () => {
	it.each(['chat', 'messages'])(
		'returns the same answer whole and streamed in the %s format',
		async (format) => {
			const { value } = await chat(
				async (it) => ({
					whole: await it.generate([user('Why is the sky blue?')]),
					chunks: await all(it.stream([user('Why is the sky blue?')])),
				}),
				{ format },
			);
			const { whole, chunks } = value!;
			const [{ text }] = whole.message.content;
			expect(text).toContain('Why is the sky blue?');
			expect(textOf(chunks)).toBe(text);
			expect(chunks.length).toBeGreaterThan(10);
			const { usage } = whole;
			expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop', usage });
			expect(whole.usage!.totalTokens).toBeGreaterThan(0);
		},
	);

	it('sends every option', async () => {
		const options = {
			maxTokens: 50,
			temperature: 0.5,
			stream: true,
			withoutUsage: true,
			extraBodyFields: '{"seed": 7, "temperature": 0.2}',
		};
		await chat(async (it) => await it.generate([user('Hello')], { stop: ['END'] }), { options });
		expect(sent(CHAT)).toEqual([
			{
				model: 'aurora-4',
				messages: [{ role: 'user', content: 'Hello' }],
				stop: ['END'],
				stream: true,
				max_tokens: 50,
				temperature: 0.2,
				seed: 7,
			},
		]);
		await chat(async (it) => await it.generate([user('Hello')], { stopSequences: ['END'] }), {
			format: 'messages',
		});
		expect(sent('POST /v1/messages')).toEqual([
			{
				model: 'aurora-4',
				messages: [{ role: 'user', content: 'Hello' }],
				stop_sequences: ['END'],
				max_tokens: 4096,
			},
		]);
	});

	it.each([
		['chat', { reasoning_effort: 'low', seed: 3, stop: ['END'], top_p: 0.95 }, undefined],
		[
			'messages',
			{
				thinking: { type: 'adaptive' },
				output_config: { effort: 'low' },
				stop_sequences: ['END'],
				top_p: 0.95,
			},
			{ type: 'ephemeral' },
		],
	])('sends what its options mean in the %s format', async (format, fields, mark) => {
		const options = {
			promptCaching: '5m',
			reasoningEffort: 'low',
			seed: 3,
			stopSequences: ['END'],
			topP: 0.95,
		};
		await chat(async (it) => await it.withTools(TOOLS).generate([user('Hello')]), {
			format,
			options,
		});
		const [body] = sent('*');
		const tools = body.tools as Array<{ cache_control?: object }>;
		expect(body).toMatchObject(fields);
		expect(tools.map(({ cache_control }) => cache_control)).toEqual([undefined, mark]);
		expect('seed' in body).toBe(format === 'chat');
	});

	const clock: SdkTool = { type: 'function', name: 'clock', description: 'Tells the time' };
	it.each([
		['chat', { tool_choice: 'any' }, 'required'],
		['chat', { tool_choice: 'none' }, 'none'],
		['chat', { tool_choice: 'clock' }, { type: 'function', function: { name: 'clock' } }],
		['chat', {}, undefined],
		['messages', { tool_choice: 'required' }, { type: 'any' }],
		['messages', { tool_choice: 'auto' }, { type: 'auto' }],
		['messages', { tool_choice: 'clock' }, { type: 'tool', name: 'clock' }],
	])('demands tool calls in the %s format: %j', async (format, options, choice) => {
		const ask = async (it: Model) => await it.withTools([clock]).generate([user('Hello')], options);
		expect((await chat(ask, { format })).error).toBeUndefined();
		// Without tools, there is nothing to demand, and models that think cannot be made to call one.
		await chat(async (it) => await it.generate([user('Hello')], options), { format });
		await chat(ask, { format, options: { thinkingBudget: 2_000 } });
		const demanded = sent('*').map(({ tool_choice }) => tool_choice);
		expect(demanded).toEqual([choice, undefined, format === 'chat' ? choice : undefined]);
	});

	it('explains what it needs when n8n has no SDK', async () => {
		sdk = {};
		const { error } = await chat(async () => {});
		expect(error).toMatchObject({
			message: 'This n8n is too old for the Unified AI Chat Model; n8n 2.16.0 or newer is required',
			description: expect.stringContaining('Unified AI Chat can use the same models'),
		});
	});
});

interface Embeddings {
	embedDocuments(documents: string[]): Promise<number[][]>;
	embedQuery(query: string): Promise<number[]>;
}

describe('Unified AI Embeddings Model', () => {
	const embeddings = async <T>(use: (it: Embeddings) => Promise<T>, options: object = {}) =>
		await runSubNode('embeddingsModel', { model: chosen('embedding-3-small'), options } as never, use, {
			credential: gateway.credential(),
		});
	const texts = Array.from({ length: 25 }, (_, index) => `Text number ${index}`);

	it('returns the vectors in the order of the texts, with one request per batch', async () => {
		gateway.emulator.behaviour.set('POST /v1/embeddings', { latencyMs: 5 });
		const { value, runs } = await embeddings(
			async (it) => ({
				vectors: await it.embedDocuments(texts),
				one: await it.embedQuery(texts[17]),
			}),
			{ batchSize: 10, dimensions: 64, encodingFormat: 'base64' },
		);
		expect(value!.vectors).toHaveLength(25);
		expect(value!.vectors[17]).toEqual(value!.one);
		expect(value!.one).toHaveLength(64);
		const bodies = sent('POST /v1/embeddings');
		expect(bodies.map(({ input }) => input.length).sort()).toEqual([1, 10, 10, 5]);
		expect(bodies[0]).toMatchObject({
			model: 'embedding-3-small',
			dimensions: 64,
			encoding_format: 'base64',
		});

		expect(runs.map(({ executionStatus }) => executionStatus)).toEqual(['success', 'success']);
		const shown = runs.map(({ inputOverride, data }) => [
			inputOverride?.ai_embedding?.[0]?.[0].json,
			data?.ai_embedding?.[0]?.[0].json,
		]);
		const tokenUsage = {
			promptTokens: expect.any(Number),
			completionTokens: 0,
			totalTokens: expect.any(Number),
		};
		const common = { dimensions: 64, model: 'embedding-3-small', tokenUsage };
		expect(shown).toEqual([
			[{ documents: texts }, { vectors: 25, requests: 3, ...common }],
			[{ query: texts[17] }, { vectors: 1, requests: 1, ...common }],
		]);
	});

	it.each([
		['a blank text', ['good', ' '], 'Document 2 is empty'],
		['a missing text', ['good', undefined as never], 'Document 2 is empty'],
	])('names the position of %s before anything is sent', async (_what, documents, message) => {
		const { error, runs } = await embeddings(async (it) => await it.embedDocuments(documents));
		expect(error).toMatchObject({ message });
		expect(runs[0]).toMatchObject({ executionStatus: 'error', error: { message } });
		expect(gateway.emulator.journal.entries()).toEqual([]);
	});
});

class Document {
	constructor(
		readonly pageContent: string,
		readonly metadata: Record<string, unknown>,
	) {}
}

interface Reranker {
	compressDocuments(documents: Document[], query: string): Promise<Document[]>;
}

describe('Unified AI Reranker Model', () => {
	const reranker = async <T>(use: (it: Reranker) => Promise<T>, parameters: object = {}) =>
		await runSubNode(
			'rerankerModel',
			{ model: chosen('reranker-v2-m3'), topN: 3, options: {}, ...parameters },
			use,
			{ credential: gateway.credential() },
		);
	const documents = [
		'Cats sleep most of the day.',
		'',
		'The password is reset by mail.',
		'Reset a forgotten password.',
		'Dogs bark.',
		'Reset a forgotten password.',
	].map((text, index) => new Document(text, { source: index }));

	it('returns the best documents with their metadata and scores', async () => {
		const { value, runs } = await reranker(
			async (it) => await it.compressDocuments(documents, 'How do I reset a forgotten password?'),
		);
		expect(value!.map(({ metadata }) => metadata.source)).toEqual([3, 5, 2]);
		expect(value![0]).toBeInstanceOf(Document);
		const scores = value!.map(({ metadata }) => metadata.relevanceScore as number);
		expect(scores).toEqual([...scores].sort((one, other) => other - one));
		expect(documents[3].metadata).toEqual({ source: 3 });
		expect(runs[0].inputOverride?.ai_reranker?.[0]?.[0].json).toMatchObject({
			query: 'How do I reset a forgotten password?',
			documents: expect.arrayContaining(['Dogs bark.']),
		});
		expect(runs[0].data?.ai_reranker?.[0]?.[0].json).toMatchObject({
			requests: 1,
			results: [{ document: 'Reset a forgotten password.', index: 3 }, { index: 5 }, { index: 2 }],
		});
	});

	it('applies its options', async () => {
		const options = { batchSize: 2, minimumScore: 0.0001 };
		const { value } = await reranker(
			async (it) => await it.compressDocuments(documents, 'reset forgotten password'),
			{ topN: 0, options },
		);
		expect(value!.map(({ metadata }) => metadata.source)).toEqual([3, 5, 2]);
		expect(sent('POST /v1/rerank').map((body) => body.documents.length)).toEqual([2, 2]);
	});
});
