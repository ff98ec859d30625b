import type { IDataObject } from 'n8n-workflow';
import type { Rule } from '../../emulator';
import { systemClock } from '../../nodes/shared/limiter/clock';
import { searches, searchList } from './engine/listSearch';
import { nodeTypes, operationsOf } from './engine/nodeTypes';
import { runWorkflow } from './engine/runWorkflow';
import { useEmulator } from './engine/useEmulator';
import { useFastClock } from './faults/fastClock';
import { type OperationCase, operationCases, workflowOf } from './faults/operations';

/** Where an item without Simplify has the answer's own fields, and those of an entry of it. */
interface RawItem {
	answer: (json: IDataObject) => unknown;
	entry: (json: IDataObject) => unknown;
	/** Another way to run the operation. */
	how?: Partial<Pick<OperationCase, 'parameters' | 'rule'>> & { title: string };
}

const at =
	(...path: Array<string | number>) =>
	(json: IDataObject) =>
		path.reduce<unknown>((value, name) => (value as Record<string | number, unknown>)?.[name], json);
const itself = at();

/** The item is the answer. */
const whole = (entry: RawItem['entry'], how?: RawItem['how']): RawItem => ({ answer: itself, entry, how });
/** The item is an entry of the answer. */
const split = (how?: RawItem['how']): RawItem => ({ answer: at('response'), entry: itself, how });

const FINISHED = [
	split(),
	whole(at('data', 'data', 1), { title: 'one item per task', parameters: { output: 'task' } }),
];
const PENDING = whole(at('data'), {
	title: 'still pending',
	rule: { music: { pendingMs: 80_000_000, processingMs: 1 } },
});
const streamed = (entry: RawItem['entry']) =>
	whole(entry, { title: 'streamed', parameters: { options: { stream: true } } });

/** The first case of the operation only submits. */
const waiting = ({ how, ...item }: RawItem): RawItem => ({
	...item,
	how: { title: how?.title ?? '', parameters: { ...how?.parameters, waitForCompletion: true } },
});

const TABLE: Record<string, RawItem[]> = {
	'account getManyModels': [split()],
	'account getSubscription': [whole(itself)],
	'chat chatCompletion': [whole(at('choices', 0, 'message')), streamed(at('choices', 0))],
	'chat generateContent': [whole(at('candidates', 0, 'content', 'parts', 0)), streamed(at('candidates', 0))],
	'chat message': [whole(at('content', 0)), streamed(at('content', 0))],
	'embed embedText': [{ ...split(), how: { title: 'vector', parameters: { output: 'vector' } } }],
	'image generate': [whole(at('data', 0))],
	'music generate': [
		...FINISHED.map(waiting),
		whole(at('data'), { title: 'only submitted', parameters: { waitForCompletion: false } }),
	],
	'music get': [...FINISHED, PENDING],
	'music wait': FINISHED,
	'rerank rerankInputItems': [{ answer: at('rerank', 'response'), entry: at('rerank', 'result') }],
	'rerank rerankList': [
		split(),
		whole(at('results', 1), { title: 'one item with all documents', parameters: { output: 'list' } }),
	],
	'speech getManyVoices': [split()],
	'voiceModel create': [whole(itself)],
	'voiceModel getMany': [split()],
};

/** The operations that can return a raw answer; Utilities/utilities.test.ts compares the whole answer of a utility. */
const rawOperations = Object.entries(nodeTypes).flatMap(([type, node]) => {
	const name = type.slice(type.indexOf('.') + 1);
	if (name === 'utilities') return [];
	const shown = node.description.properties.filter((property) => property.name === 'simplify');
	return operationsOf(node)
		.filter((operation) =>
			shown.some(({ displayOptions }) => displayOptions?.show?.operation?.includes(operation) ?? true),
		)
		.map((operation) => `${name} ${operation}`);
});

const rows = Object.entries(TABLE).flatMap(([title, items]) =>
	items.map((item) => ({ title, item, named: [title, item.how?.title].filter(Boolean).join(', ') })),
);

/** In the dialect `unknown-fields`, every object has this; lists in it grow with each event of a stream. */
const UNKNOWN = { x_trace: { shard: 7 } };

useFastClock(50);
const gateway = useEmulator({ now: () => systemClock.date() });

/** What a song of a task that exists already needs. */
function inputOf({ input }: OperationCase, { music }: Rule) {
	if (music === undefined || music.pendingMs === 0) return input?.(gateway.emulator);
	const song = { prompt: 'Rain', model: 'music-v5', custom_mode: false, instrumental: false };
	return [{ json: { taskId: gateway.emulator.tasks.submit(song, music).id } }];
}

describe('Without Simplify', () => {
	it('the table has every operation that has the parameter', () => {
		expect(rawOperations.length).toBeGreaterThan(10);
		expect(Object.keys(TABLE).sort()).toEqual([...rawOperations].sort());
	});

	it.each(rows)(
		'an unknown field of the answer and of its entries is in the output of $named',
		async (row) => {
			const { title, item } = row;
			const found = operationCases.find(({ node, operation }) => `${node} ${operation}` === title)!;
			const rule: Rule = { music: { pendingMs: 0, processingMs: 0 }, ...found.rule, ...item.how?.rule };
			gateway.emulator.behaviour.set('*', rule);
			gateway.emulator.behaviour.set('/*', { dialect: ['unknown-fields'] });
			const workflow = workflowOf(found, { ...item.how?.parameters, simplify: false });
			const { outputs, error } = await runWorkflow(workflow, {
				credential: gateway.credential(),
				input: inputOf(found, rule),
			});
			expect(error).toBeUndefined();
			const items = outputs.flat();
			expect(items.length).toBeGreaterThan(0);
			for (const { json } of items) {
				expect(item.answer(json)).toMatchObject(UNKNOWN);
				expect(item.entry(json)).toMatchObject(UNKNOWN);
			}
		},
	);
});

const mainNodes = Object.keys(nodeTypes)
	.map((type) => type.slice(type.indexOf('.') + 1))
	.flatMap((name) => operationCases.find(({ node }) => node === name) ?? []);

it.each(mainNodes)('Only an item that fails leaves $node through the error output', async (found) => {
	const good = found.input?.(gateway.emulator) ?? [{ json: {} }];
	const input = [{ ...good[0], json: { ...good[0].json, retries: 'many' } }, ...good];
	const options = { maxRetries: '={{ $json.retries ?? 1 }}', parallelRequests: 1 };
	const workflow = workflowOf(found, { options }, { onError: 'continueErrorOutput' });
	const { outputs, error } = await runWorkflow(workflow, { credential: gateway.credential(), input });
	expect(error).toBeUndefined();
	expect(outputs[0].length).toBeGreaterThanOrEqual(good.length);
	expect(outputs[1].map(({ json }) => json.error)).toEqual([expect.stringContaining('Max Retries')]);
});

it('The list of models has those that fit the node', async () => {
	const first: Record<string, string> = {};
	for (const [type, method] of searches.filter(([, name]) => name === 'searchModels')) {
		const { results } = await searchList(nodeTypes[type], method, gateway.credential());
		first[type.slice(type.indexOf('.') + 1)] = String(results[0].value);
	}
	expect(first).toEqual({
		...{ chat: 'aurora-4', chatModel: 'aurora-4' },
		...{ embed: 'embedding-3-large', embeddingsModel: 'embedding-3-large' },
		...{ image: 'image-2', music: 'music-v4.5-plus', speech: 'svc-tts' },
		...{ rerank: 'reranker-v2-m3', rerankerModel: 'reranker-v2-m3' },
	});
});

it('The table of operations has every operation of every node; some of Utilities stand for all', () => {
	const known = operationCases.map(({ node, operation }) => `${node}.${operation}`);
	// Sub-nodes run inside another node.
	const nodes = Object.entries(nodeTypes).filter(
		([type, node]) => !('supplyData' in node) && !type.endsWith('.utilities'),
	);
	const offered = nodes.flatMap(([type, node]) =>
		operationsOf(node).map((operation) => `${type.split('.').at(-1)}.${operation}`),
	);
	expect(offered.filter((operation) => !known.includes(operation))).toEqual([]);
});
