import type { INodeParameters, StructuredChunk } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { useFastClock } from '../faults/fastClock';
import { runSubNode, type SubNodeRun } from '../engine/runSubNode';
import { startStrictEmulator } from '../engine/strictEmulator';
import { chosen } from './cases';
import { FACTOR, NOT_TAKEN, UNCLEAR, type UnclearFault } from './unclearFaults';
import { detailsOf, paidOperation, UnclearRun } from './unclearRun';

useFastClock(FACTOR);
jest.mock(
	'@n8n/ai-node-sdk',
	() => ({
		BaseChatModel: class {
			tools = [];
		},
		supplyModel: (_context: object, model: object) => ({ response: model }),
		getParametersJsonSchema: () => ({}),
	}),
	{ virtual: true },
);

/** What the nodes that use a sub-node call. */
interface Supplied {
	generate(messages: object[]): Promise<unknown>;
	stream(messages: object[]): AsyncIterable<unknown>;
	embedDocuments(texts: string[]): Promise<unknown>;
	embedQuery(text: string): Promise<unknown>;
	compressDocuments(documents: object[], query: string): Promise<unknown>;
}

type SubNode = Parameters<typeof runSubNode>[0];
interface ModelCase {
	name: string;
	node: SubNode;
	parameters?: INodeParameters;
	isStreamed?: boolean;
	use: (supplied: Supplied) => Promise<unknown>;
}

const question = [{ role: 'user', content: [{ type: 'text', text: 'Why is the sky blue?' }] }];
const documents = ['The sky is blue.', 'The moon'].map((pageContent) => ({ pageContent }));
async function streamed(model: Supplied): Promise<void> {
	for await (const chunk of model.stream(question)) expect(chunk).toBeDefined();
}
const CASES: ModelCase[] = [
	...['chat', 'messages'].flatMap((format): ModelCase[] => [
		{
			name: `Chat Model (${format})`,
			node: 'chatModel',
			parameters: { format },
			use: async (model) => await model.generate(question),
		},
		{
			name: `Chat Model (${format}, streamed)`,
			node: 'chatModel',
			parameters: { format },
			isStreamed: true,
			use: streamed,
		},
	]),
	{
		name: 'Embeddings Model (documents)',
		node: 'embeddingsModel',
		use: async (model) => await model.embedDocuments(['The sky', 'The moon']),
	},
	{
		name: 'Embeddings Model (query)',
		node: 'embeddingsModel',
		use: async (model) => await model.embedQuery('The sky'),
	},
	{
		name: 'Reranker Model',
		node: 'rerankerModel',
		use: async (model) => await model.compressDocuments(documents, 'Why is the sky blue?'),
	},
];
const MODELS: Record<SubNode, string> = {
	chatModel: 'aurora-4',
	embeddingsModel: 'embedding-3-small',
	rerankerModel: 'reranker-v2-m3',
};

let emulator: Emulator;
let rate = 7e7;
beforeAll(async () => {
	emulator = await startStrictEmulator();
});
afterAll(async () => await emulator.close());

async function run(
	{ node, parameters, use }: ModelCase,
	fault: UnclearFault['fault'],
	options: INodeParameters,
): Promise<SubNodeRun<unknown>> {
	emulator.journal.clear();
	emulator.behaviour.set('*', { faults: [fault] });
	const { url: baseUrl, apiKey } = emulator;
	return await runSubNode(node, { model: chosen(MODELS[node]), ...parameters, options }, use, {
		// The learned rate of a credential is kept, so each run uses another one.
		credential: { baseUrl, apiKey, requestsPerMinute: (rate += 1) },
	});
}

describe('A request of a model that an agent or a vector store uses', () => {
	const unclear = ({ isStreamed = false }: ModelCase) =>
		UNCLEAR.filter(({ inStreams = false }) => isStreamed || !inStreams);

	it.each(CASES)('is not repeated by $name when its outcome is unclear', async (model) => {
		for (const { name, fault } of unclear(model)) {
			const { error } = await run(model, fault, {});
			const { details } = (error as unknown as { context: { details: object } }).context;
			const outcome = { fault: name, requests: emulator.journal.count(), details };
			expect(outcome).toMatchObject({ requests: 1, details: { mayHaveBeenCarriedOut: true, attempts: 1 } });
			expect(error?.description).toContain('may have carried the request out');
		}
	});

	it.each(CASES)('is repeated by $name if the user wants that', async (model) => {
		// Once a part of an answer has been passed on, it must not begin again.
		const faults = unclear(model).filter(({ inStreams }) => !inStreams);
		for (const { name, fault } of faults) {
			const { error } = await run(model, fault, { retryUnclear: true });
			expect({ fault: name, requests: emulator.journal.count(), error }).toEqual({
				fault: name,
				requests: 2,
				error: undefined,
			});
		}
	});

	it.each(CASES)('is repeated by $name when the gateway has not taken it', async (model) => {
		for (const { fault } of NOT_TAKEN) {
			const { error } = await run(model, fault, {});
			expect([emulator.journal.count(), error]).toEqual([2, undefined]);
		}
	});

	it('does not begin an answer again of which the agent has seen a part', async () => {
		const [, model] = CASES;
		const { error } = await run(model, { kind: 'cut', afterEvents: 6 }, { retryUnclear: true });
		expect(error).toBeDefined();
		expect(emulator.journal.count()).toBe(1);
	});
});

describe('An answer that the caller of the workflow receives as it arrives', () => {
	const options = { retryUnclear: true };
	let chat: UnclearRun;
	let chunks: StructuredChunk[];
	beforeAll(async () => {
		chat = await UnclearRun.of();
	});
	afterAll(async () => await chat.emulator.close());
	const start = async (fault: UnclearFault['fault'], settings = {}) => {
		chunks = [];
		const operation = paidOperation('chat: chat chatCompletion streamed');
		const onChunk = (chunk: StructuredChunk) => void chunks.push(chunk);
		return await chat.start(operation, { faults: [fault], options, onChunk, settings });
	};
	const count = (type: StructuredChunk['type']) => chunks.filter((chunk) => chunk.type === type).length;

	it('is not begun again once a part of it has been shown', async () => {
		const result = await start({ kind: 'cut', afterEvents: 6 }, { onError: 'continueRegularOutput' });
		expect(chat.posts).toEqual([1]);
		expect(detailsOf(result)).toMatchObject({ mayHaveBeenCarriedOut: true });
		expect([count('begin'), count('error'), count('end')]).toEqual([1, 1, 1]);
		expect(count('item')).toBeGreaterThan(0);
	});

	it('is requested again while nothing of it has been shown', async () => {
		const { error, items } = await start({ kind: 'resetBeforeHeaders' });
		expect(error).toBeUndefined();
		expect(chat.posts).toEqual([2]);
		expect([count('begin'), count('error'), count('end')]).toEqual([1, 0, 1]);
		const shown = chunks.map(({ type, content }) => (type === 'item' ? content : '')).join('');
		expect(shown).toBe(items[0].json.text);
	});
});
