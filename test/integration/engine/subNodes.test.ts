import type { SdkChunk, SdkContent, SdkMessage } from '../../../nodes/Chat/sdk';
import { chosen } from './chosen';
import * as fakeSdk from './fakeSdk';
import { type Model, TOOLS, user } from './fakeSdk';
import { type SubNodeRun, runSubNode } from './runSubNode';
import { useEmulator } from './useEmulator';

let sdk: object;
jest.mock('@n8n/ai-node-sdk', () => sdk, { virtual: true });
beforeEach(() => {
	jest.resetModules();
	sdk = fakeSdk;
});

const gateway = useEmulator();

const { sent } = gateway;

const chat = async <T>(
	use: (model: Model) => Promise<T>,
	parameters: object = {},
	executionId?: string,
): Promise<SubNodeRun<T>> =>
	await runSubNode(
		'chatModel',
		{ model: chosen('aurora-4'), format: 'chat', options: {}, ...parameters },
		use,
		{ credential: gateway.credential(), executionId },
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

	it.each([
		[
			'chat',
			{
				messages: [{ role: 'user', content: 'Hi' }],
				reasoning_effort: 'low',
				stop: ['STOP'],
				seed: 7,
				stream: true,
			},
			undefined,
		],
		[
			'messages',
			{
				messages: [{ role: 'user', content: [expect.objectContaining({ text: 'Hi' })] }],
				thinking: { type: 'adaptive' },
				output_config: { effort: 'low' },
				stop_sequences: ['STOP'],
				stream: true,
			},
			{ type: 'ephemeral' },
		],
	])('sends every option in the %s format', async (format, fields, mark) => {
		const options = {
			maxTokens: 50,
			topP: 0.95,
			stopSequences: ['END'],
			reasoningEffort: 'low',
			promptCaching: '5m',
			seed: 7,
			stream: true,
			withoutUsage: true,
			extraBodyFields: '{"top_p": 0.97}',
		};
		const call = { stop: ['STOP'] };
		await chat(async (it) => await it.withTools(TOOLS).generate([user('Hi')], call), { format, options });
		const [{ tools, ...body }] = sent('*');
		expect(body).toEqual({ model: 'aurora-4', max_tokens: 50, top_p: 0.97, ...fields });
		const marks = (tools as Array<{ cache_control?: object }>).map(({ cache_control }) => cache_control);
		expect(marks).toEqual([undefined, mark]);
	});

	it.each([
		['chat', { tool_choice: 'clock' }, { type: 'function', function: { name: 'clock' } }],
		['chat', {}, undefined],
		['messages', { tool_choice: 'required' }, { type: 'any' }],
		['messages', { tool_choice: 'clock' }, { type: 'tool', name: 'clock' }],
	])('demands tool calls in the %s format: %j', async (format, options, choice) => {
		const ask = async (it: Model) => await it.withTools(TOOLS.slice(1)).generate([user('Hello')], options);
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

const ROUTE = 'POST /v1/embeddings';
const embeddings = async <T>(
	use: (supplied: Embeddings, again: () => Promise<Embeddings>) => Promise<T>,
	parameters: object = {},
): Promise<SubNodeRun<T>> =>
	await runSubNode('embeddingsModel', { model: chosen('embedding-3-small'), ...parameters }, use, {
		credential: gateway.credential(),
	});

describe('Unified AI Embeddings Model', () => {
	const texts = Array.from({ length: 25 }, (_, index) => `Text number ${index}`);

	it('returns the vectors in the order of the texts, with one request per batch', async () => {
		gateway.emulator.behaviour.set(ROUTE, { latencyMs: 5 });
		const { value, runs } = await embeddings(
			async (it) => ({ vectors: await it.embedDocuments(texts), one: await it.embedQuery(texts[17]) }),
			{ options: { batchSize: 10, dimensions: 64, extraBodyFields: '{"encoding_format": "base64"}' } },
		);
		expect(value!.vectors).toHaveLength(25);
		expect(value!.vectors[17]).toEqual(value!.one);
		expect(value!.one).toHaveLength(64);
		const bodies = sent(ROUTE);
		expect(bodies.map(({ input }) => (input as string[]).length).sort()).toEqual([1, 10, 10, 5]);
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

	it('counts the tokens of each request once, not for each of its texts', async () => {
		const data = [0, 1].map((index) => ({ index, embedding: [0.5, 0.5] }));
		const faults = [7, 5].map((tokens) => {
			const usage = { prompt_tokens: tokens, total_tokens: tokens };
			return { kind: 'status', status: 200, body: { data, model: 'of-the-gateway', usage } } as const;
		});
		gateway.emulator.behaviour.set(ROUTE, { faults });
		const four = ['One', 'Two', 'Three', 'Four'];
		const options = { batchSize: 2 };
		const { runs } = await embeddings(async (it) => await it.embedDocuments(four), { options });
		const { json } = runs[0].data!.ai_embedding[0]![0];
		const tokenUsage = { promptTokens: 12, totalTokens: 12 };
		expect(json).toMatchObject({ model: 'of-the-gateway', tokenUsage });
	});

	it('refuses vectors of different lengths from two requests, which a store would notice only later', async () => {
		const bodies = [8, 4].map((length) => ({ data: [{ index: 0, embedding: Array(length).fill(0.5) }] }));
		const faults = bodies.map((body) => ({ kind: 'status', status: 200, body }) as const);
		gateway.emulator.behaviour.set(ROUTE, { faults });
		const options = { batchSize: 1, parallelRequests: 1 };
		const { error } = await embeddings(async (it) => await it.embedDocuments(['One', 'Two']), { options });
		expect(error?.message).toContain('it contains a vector of 4 numbers instead of 8');
		expect(error?.message).toContain('(Document 2: “Two”)');
	});

	it('fails with what may have been charged for, even if another text has failed before', async () => {
		const faults = [400, 502].map((status) => ({ kind: 'status', status }) as const);
		gateway.emulator.behaviour.set(ROUTE, { faults, latencyMs: 20 });
		const options = { batchSize: 1 };
		const { error } = await embeddings(async (it) => await it.embedDocuments(['One', 'Two']), { options });
		expect(sent(ROUTE)).toHaveLength(2);
		expect(error?.message).toContain('status 502');
		expect(error?.description).toContain('may have carried the request out');
	});

	it.each<[string, (it: Embeddings) => Promise<unknown>]>([
		['Document 1', async (it) => await it.embedDocuments(['', 'Two'])],
		['Document 2', async (it) => await it.embedDocuments(['One', undefined as never])],
		['The query', async (it) => await it.embedQuery(' ')],
	])('sends nothing if a text is empty, and names it: %s', async (name, use) => {
		const { error } = await embeddings(use);
		expect(error?.message).toBe(`${name} is empty`);
		expect(gateway.emulator.journal.count()).toBe(0);
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
		gateway.emulator.behaviour.set('POST /v1/rerank', { rerank: { usage: true } });
		const { value, runs } = await reranker(
			async (it) => await it.compressDocuments(documents, 'How do I reset a forgotten password?'),
			{ options: { batchSize: 2 } },
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
			requests: 2,
			tokenUsage: { totalTokens: expect.any(Number) },
			results: [{ document: 'Reset a forgotten password.', index: 3 }, { index: 5 }, { index: 2 }],
		});
		const { value: good } = await reranker(
			async (it) => await it.compressDocuments(documents, 'reset forgotten password'),
			{ topN: 0, options: { minimumScore: 0.0001 } },
		);
		expect(good).toHaveLength(3);
	});

	it('returns its default of three documents if Top N is empty', async () => {
		const numbers = Array.from({ length: 5 }, (_, index) => new Document(`Reset ${index}`, {}));
		for (const topN of ['', '={{ null }}']) {
			const { value } = await reranker(async (it) => await it.compressDocuments(numbers, 'Reset'), { topN });
			expect(value).toHaveLength(3);
		}
	});

	it('fails if a score cannot be read, because its document could be the best one', async () => {
		const results = [
			{ index: 0, relevance_score: null },
			{ index: 1, relevance_score: 0.5 },
		];
		gateway.fail('POST /v1/rerank', { kind: 'status', status: 200, body: { results } });
		const ask = async (it: Reranker) => await it.compressDocuments(documents.slice(0, 3), 'Reset');
		const { error } = await reranker(ask);
		expect(error?.message).toContain('the field "results.0.relevance_score" is missing or unexpected');
		gateway.fail('POST /v1/rerank', { kind: 'status', status: 200, body: { results: results.slice(1) } });
		const { runs } = await reranker(ask);
		expect(runs[0].data!.ai_reranker[0]![0].json.withoutScore).toEqual([0]);
		gateway.fail('POST /v1/rerank', { kind: 'status', status: 400, when: 'mail', times: 'always' });
		const { error: partly } = await reranker(ask, { options: { batchSize: 1 } });
		expect(partly?.message).toContain('rejected');
		const { error: empty } = await reranker(async (it) => await it.compressDocuments(documents, ' '));
		expect(empty?.message).toBe('The query is empty');
	});
});

const twoDocuments = ['One', 'Two'].map((text) => new Document(text, {}));
it.each<[string, Parameters<typeof runSubNode>[0], string, (it: Embeddings & Reranker) => Promise<unknown>]>([
	['texts', 'embeddingsModel', 'embedding-3-small', async (it) => await it.embedDocuments(['One', 'Two'])],
	[
		'documents',
		'rerankerModel',
		'reranker-v2-m3',
		async (it) => await it.compressDocuments(twoDocuments, 'x'),
	],
])('A refused request for %s says that others, whose results are lost, were paid for', async (...given) => {
	const [, node, model, use] = given;
	gateway.fail('POST /*', { kind: 'status', status: 402, skip: 1 });
	const parameters = { model: chosen(model), options: { batchSize: 1, parallelRequests: 1 } };
	const { error } = await runSubNode(node, parameters, use, { credential: gateway.credential() });
	expect(error?.description).toContain('Successful requests of this item have been charged.');
	expect(error).toMatchObject({ context: { data: { kind: 'permission', charge: 'certain' } } });
});

describe('Spending Limits of a sub-node', () => {
	it('count for the execution, however often the sub-node is created', async () => {
		const { error, runs } = await embeddings(
			async (first, again) => {
				await first.embedQuery('One');
				await (await again()).embedQuery('Two');
				await (await again()).embedQuery('Three');
			},
			{ spending: { maxRequests: 2 } },
		);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^Max Requests \(2\) is reached in the node “.+”$/),
			description: expect.stringContaining('applies to everything that this node does in an execution'),
			functionality: 'configuration-node',
		});
		expect(gateway.emulator.journal.count(ROUTE)).toBe(2);
		expect(runs.map(({ executionStatus }) => executionStatus)).toEqual(['success', 'success', 'error']);
	});

	const answers = {
		chatModel: { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] },
		embeddingsModel: { data: [{ index: 0, embedding: [1, 2] }] },
		rerankerModel: { results: [{ index: 0, relevance_score: 0.5 }] },
	};
	type AnySubNode = Model & Embeddings & { compressDocuments(documents: Document[], query: string): unknown };
	const asking: Record<keyof typeof answers, (it: AnySubNode, turn: number) => unknown> = {
		chatModel: async (it, turn) => await it.generate([user(`Turn ${turn}`)]),
		embeddingsModel: async (it, turn) => await it.embedQuery(`Turn ${turn}`),
		rerankerModel: async (it, turn) => await it.compressDocuments([new Document('One', {})], `Turn ${turn}`),
	};
	const tokens = { prompt_tokens: 3, total_tokens: 3 };

	it.each(Object.keys(answers) as Array<keyof typeof answers>)(
		'end the loop of an agent at an answer that Max Cost cannot count: %s',
		async (type) => {
			const status = { kind: 'status', status: 200 } as const;
			gateway.fail(
				'POST /v1/*',
				{ ...status, body: { ...answers[type], usage: { ...tokens, cost: 0.01 } } },
				{ ...status, body: { ...answers[type], usage: tokens }, times: 'always' },
			);
			const { error } = await runSubNode(
				type,
				{ model: chosen('m'), format: 'chat', topN: 1, spending: { maxCost: 9 } },
				async (_first: AnySubNode, again: () => Promise<AnySubNode>) => {
					for (let turn = 0; turn < 6; turn++) await asking[type](await again(), turn);
				},
				{ credential: gateway.credential() },
			);
			expect(error?.message).toMatch('Max Cost cannot be kept');
			expect(gateway.emulator.journal.count('POST /v1/*')).toBe(2);
		},
	);
});

let executions = 0;

interface SentMessage {
	role: string;
	tool_calls?: Array<{ id: string }>;
	tool_call_id?: string;
}

interface Way {
	format: 'chat' | 'messages';
	streamed: boolean;
	/** How the agent hands the calls of an answer back. */
	how: 'together' | 'one by one';
}
const ways: Way[] = [
	{ format: 'chat', streamed: false, how: 'together' },
	{ format: 'chat', streamed: true, how: 'one by one' },
	{ format: 'messages', streamed: false, how: 'one by one' },
	{ format: 'messages', streamed: true, how: 'together' },
];

/** One turn of an agent, which creates its model anew for each of them. */
async function turn(
	{ format, streamed }: Omit<Way, 'how'>,
	messages: SdkMessage[],
	executionId: string,
): Promise<SdkContent[]> {
	const { value, error } = await chat(
		async (model) => {
			const bound = model.withTools(TOOLS);
			if (!streamed) return (await bound.generate(messages)).message.content;
			const content: SdkContent[] = [];
			for await (const chunk of bound.stream(messages)) {
				if (chunk.type !== 'tool-call-delta') continue;
				const { id, name, argumentsDelta: input } = chunk;
				content.push({ type: 'tool-call', toolCallId: id, toolName: name, input });
			}
			return content;
		},
		{ format, options: { reasoningEffort: 'low', maxRetries: 0 } },
		executionId,
	);
	if (error) throw error;
	return value!.filter(({ type }) => type === 'tool-call');
}

/** What n8n's Agent makes of an answer and the results: its thoughts are gone, and its arguments have more fields. */
function handedBack(calls: SdkContent[], how: Way['how']): SdkMessage[] {
	const changed = calls.map((call) => ({
		...call,
		input: JSON.stringify({ ...JSON.parse(call.input as string), id: call.toolCallId }),
	}));
	const resultOf = ({ toolCallId, toolName }: SdkContent): SdkMessage => ({
		role: 'tool',
		name: toolName as string,
		content: [{ type: 'tool-result', toolCallId, result: 'Sunny' }],
	});
	if (how === 'together') return [{ role: 'assistant', content: changed }, ...changed.map(resultOf)];
	return changed.flatMap((call): SdkMessage[] => [{ role: 'assistant', content: [call] }, resultOf(call)]);
}

describe('An agent whose model thinks before it calls tools', () => {
	it.each(ways)(
		'hands the thoughts back, and calls in one message: $format, streamed: $streamed, $how',
		async (way) => {
			const executionId = `thoughts-${++executions}`;
			let conversation = [user('The weather and the clock in Paris, please.')];
			for (let round = 0; round < 3; round++) {
				const calls = await turn(way, conversation, executionId);
				expect(calls.map(({ toolName }) => toolName)).toEqual(['weather', 'clock']);
				conversation = [...conversation, ...handedBack(calls, way.how)];
				await turn(way, conversation, executionId);
				conversation = [...conversation, user(`The weather and the clock in city ${round}, please.`)];
			}
			const requests = gateway.emulator.journal.entries();
			expect(requests.map(({ status }) => status)).toEqual(Array(6).fill(200));
			const { messages } = requests[1].body as { messages: SentMessage[] };
			expect(messages.map(({ role }) => role)).toEqual(
				way.format === 'chat' ? ['user', 'assistant', 'tool', 'tool'] : ['user', 'assistant', 'user'],
			);
			// As the model gave them.
			expect(JSON.stringify(messages)).not.toMatch(/"id\\?":\s*\\?"[^"]*\\?",?\s*\}/);
		},
	);

	it('asks the same thing three times, in calls of their own', async () => {
		gateway.emulator.behaviour.set('*', { dialect: 'tools-answer-no-id' });
		const way: Way = { format: 'chat', streamed: false, how: 'together' };
		const executionId = `thoughts-${++executions}`;
		let conversation = [user('The weather in Paris, then the weather in Paris, then the weather in Paris.')];
		for (let round = 0; round < 3; round++) {
			const calls = await turn(way, conversation, executionId);
			expect(calls.map(({ toolName, input }) => [toolName, input])).toEqual([
				['weather', '{"city":"Paris"}'],
			]);
			conversation = [...conversation, ...handedBack(calls, way.how)];
		}
		expect(await turn(way, conversation, executionId)).toEqual([]);
		const { messages } = gateway.emulator.journal.entries().at(-1)!.body as { messages: SentMessage[] };
		expect(messages.map(({ role }) => role)).toEqual([
			'user',
			...Array(3).fill(['assistant', 'tool']).flat(),
		]);
		const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
		expect(new Set(ids).size).toBe(3);
		expect(messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(ids);
	});
});
