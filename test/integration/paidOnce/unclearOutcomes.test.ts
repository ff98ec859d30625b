import type { StructuredChunk } from 'n8n-workflow';
import { chosen } from '../engine/chosen';
import { retryRun } from '../engine/retry';
import { runSubNode } from '../engine/runSubNode';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';
import { useFastClock } from '../faults/fastClock';

jest.mock('@n8n/ai-node-sdk', () => jest.requireActual<object>('../engine/fakeSdk'), { virtual: true });

useFastClock(20);
const HEADER = 'Idempotency-Key';
const gateway = useNode(
	'chat',
	{ operation: 'chatCompletion', model: chosen('aurora-4'), prompt: 'Why is the sky blue?' },
	{ idempotencyHeader: HEADER },
);
const fail = (...faults: Parameters<typeof gateway.fail>[1][]) => gateway.fail('POST /*', ...faults);
const posts = () => gateway.emulator.journal.count(({ method }) => method === 'POST');
/** A proxy's page in place of the answer to a request that was carried out. */
const LOST = { kind: 'html', status: 502, carriedOut: true } as const;
const REPEATS = { retryUnclear: true };

it('An unclear request is not repeated by itself or by Retry On Fail, but by a person', async () => {
	fail(LOST);
	const credential = gateway.credential();
	const workflow = gateway.workflow({}, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
	const failed = await runWorkflow(workflow, { credential, executionId: 'first' });
	expect(posts()).toBe(1);
	expect(failed.error?.context.data).toMatchObject({ charge: 'possible', attempts: 1 });
	expect(failed.error?.description).toMatch(/may have (carried|been)/);
	const retried = await retryRun(workflow, failed, { credential, executionId: 'second' });
	expect(retried.error).toBeUndefined();
	expect(posts()).toBe(2);
});

it('A utility is repeated by Retry On Fail, which still says that an earlier try may be charged for', async () => {
	const refused = { kind: 'status', status: 400, times: 'always' } as const;
	gateway.fail('GET /v2/*', { ...LOST, times: 2 }, refused);
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const workflow = oneNode('utilities', { operation: 'aiNews', options: { maxRetries: 1 } }, settings);
	const { error } = await runWorkflow(workflow, { credential: gateway.credential() });
	expect(error?.context.data).toMatchObject({ status: 400, charge: 'possible' });
	expect(gateway.emulator.journal.count()).toBe(3);
});

/** What the nodes that use a sub-node call. */
interface Supplied {
	generate(messages: object[]): Promise<unknown>;
	stream(messages: object[]): AsyncIterable<unknown>;
	embedDocuments(texts: string[]): Promise<unknown>;
	embedQuery(text: string): Promise<unknown>;
	compressDocuments(documents: object[], query: string): Promise<unknown>;
}

type SubNode = Parameters<typeof runSubNode>[0];
const question = [{ role: 'user', content: [{ type: 'text', text: 'Why is the sky blue?' }] }];
const documents = ['The sky is blue.', 'The moon'].map((pageContent) => ({ pageContent }));
const streamed = async (model: Supplied) => {
	for await (const chunk of model.stream(question)) expect(chunk).toBeDefined();
};
const rerank = async (model: Supplied) => await model.compressDocuments(documents, 'x');
const EMBEDDING = 'embedding-3-small';
const CALLS: Array<[name: string, SubNode, model: string, use: (model: Supplied) => Promise<unknown>]> = [
	['generate', 'chatModel', 'aurora-4', async (model) => await model.generate(question)],
	['stream', 'chatModel', 'aurora-4', streamed],
	['embedDocuments', 'embeddingsModel', EMBEDDING, async (it) => await it.embedDocuments(['x', 'y'])],
	['embedQuery', 'embeddingsModel', EMBEDDING, async (it) => await it.embedQuery('The sky')],
	['compressDocuments', 'rerankerModel', 'reranker-v2-m3', rerank],
];

const ask = async (
	[, node, model, use]: (typeof CALLS)[number],
	options: object = {},
	credential = gateway.credential(),
) => await runSubNode(node, { model: chosen(model), options: { ...options } }, use, { credential });

describe('A request of a model that an agent or a vector store uses', () => {
	it.each(CALLS)('is repeated by %s only if the user wants that, or if it was not taken', async (...call) => {
		fail(LOST);
		const { error } = await ask(call);
		expect(posts()).toBe(1);
		expect(error).toMatchObject({ context: { data: { charge: 'possible', attempts: 1 } } });
		expect(error?.description).toContain('may have carried the request out');
		for (const [fault, options] of [
			[LOST, REPEATS],
			[{ kind: 'status', status: 503 }, {}],
		] as const) {
			gateway.reset();
			fail(fault);
			expect((await ask(call, options)).error).toBeUndefined();
			expect(posts()).toBe(2);
		}
	});

	it('does not begin an answer again of which the agent has seen a part', async () => {
		fail({ kind: 'cut', afterEvents: 6 });
		expect((await ask(CALLS[1], REPEATS)).error).toBeDefined();
		expect(posts()).toBe(1);
	});
});

describe('An answer that the caller of the workflow receives as it arrives', () => {
	it.each([
		['is not begun again once a part of it was shown', { kind: 'cut', afterEvents: 6 }, 1, ['error', 'end']],
		['is requested again while nothing of it was shown', { kind: 'resetBeforeHeaders' }, 2, ['item', 'end']],
	] as const)('%s', async (_what, fault, times, lastTypes) => {
		fail(fault);
		const chunks: StructuredChunk[] = [];
		const result = await gateway.run(
			{ options: { stream: true, ...REPEATS } },
			{ onError: 'continueRegularOutput' },
			{ onChunk: (chunk) => void chunks.push(chunk) },
		);
		expect(posts()).toBe(times);
		const types = chunks.map(({ type }) => type);
		expect(types.filter((type) => type === 'begin')).toHaveLength(1);
		expect(types.slice(-2)).toEqual(lastTypes);
		expect(types).toContain('item');
		if (times === 1) return;
		const shown = chunks.map(({ type, content }) => (type === 'item' ? content : '')).join('');
		expect(shown).toBe(result.items[0].json.text);
	});
});

const credential = () => ({ ...gateway.credential(), idempotencyHeader: ` ${HEADER} ` });

const sent = () => gateway.emulator.journal.entries();
const keyOf = ({ headers }: { headers: Record<string, unknown> }) => headers[HEADER.toLowerCase()];
const keys = () =>
	sent()
		.filter(({ method }) => method === 'POST')
		.map(keyOf);
const payments = () => gateway.emulator.journal.count((entry) => entry.method === 'POST' && entry.carriedOut);

describe('The idempotency key', () => {
	it('is the same in all attempts of a request, also in a retry', async () => {
		fail(LOST, LOST, { kind: 'resetBeforeHeaders', carriedOut: true });
		const workflow = gateway.workflow({ options: { maxRetries: 1 } });
		const failed = await runWorkflow(workflow, { credential: credential(), executionId: 'first' });
		expect(keys()).toHaveLength(2);
		const retry = { credential: credential(), executionId: 'second' };
		const retried = await retryRun(workflow, failed, retry);
		expect(retried.error).toBeUndefined();
		expect([keys().length, new Set(keys()).size, payments()]).toEqual([4, 1, 1]);
		expect(keys()[0]).toMatch(/^[\da-f-]{36}$/);
	});

	it('is in the requests of the sub-nodes', async () => {
		fail(LOST);
		const { error } = await ask(CALLS[3], {}, credential());
		expect(error).toBeUndefined();
		expect([keys().length, new Set(keys()).size, payments()]).toEqual([2, 1, 1]);
	});

	it.each([
		['of utilities, which are charged for as well', 'utilities', { operation: 'aiNews' }, [true]],
		['of songs, but not when they are polled', 'music', { files: ['audio', 'cover'] }, undefined],
		['of images, but not when they are downloaded', 'image', { size: '512' }, [true, false]],
		['of nothing that only reads', 'account', { operation: 'getManyModels', returnAll: true }, [false]],
	])('is in the requests %s', async (_what, node, parameters, hasKey) => {
		gateway.emulator.behaviour.set('POST /*', { music: { pendingMs: 0, processingMs: 0 } });
		const model = chosen(node === 'music' ? 'music-v5' : 'image-2');
		const all = { operation: 'generate', model, prompt: 'A fox', ...parameters };
		await runWorkflow(oneNode(node, all), { credential: credential() });
		const [first, ...others] = sent().map((entry) => keyOf(entry) !== undefined);
		expect([first, ...new Set(others)]).toEqual(hasKey ?? [true, false]);
	});
});
