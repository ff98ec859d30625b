import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { oneNode, runWorkflow } from './runWorkflow';
import { useEmulator } from './useEmulator';

const gateway = useEmulator(4.7e7);

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const MODELS = { chat: 'aurora-4', image: 'image-2', speech: 'svc-tts', rerank: 'reranker-v2-m3' };
type NodeName = keyof typeof MODELS;
const NODES: Record<NodeName, INodeParameters> = {
	chat: { operation: 'chatCompletion', prompt: '={{ "Row " + $json.row }}' },
	image: { operation: 'generate', prompt: '={{ "Row " + $json.row }}', downloadImages: false },
	speech: { operation: 'create', text: '={{ "Row " + $json.row }}', voice: byId('Anders') },
	rerank: { operation: 'rerankList', query: '={{ "Row " + $json.row }}', documents: '["one", "two"]' },
};

/** Failures after which a request is repeated at once, is not, or is unclear. */
const FAULTS = [
	{ kind: 'status', status: 400, body: { error: { message: 'No.' } } },
	{ kind: 'status', status: 429, headers: { 'retry-after': '0' } },
	{ kind: 'html', status: 504 },
	{ kind: 'resetBeforeHeaders' },
	{ kind: 'status', status: 402, body: { error: { message: 'No credit.' } } },
] as const;

const anyRun = fc.record({
	type: fc.constantFrom(...(Object.keys(NODES) as NodeName[])),
	rows: fc.integer({ min: 1, max: 8 }),
	maxConcurrency: fc.integer({ min: 1, max: 8 }),
	shareEqual: fc.boolean(),
	faults: fc.array(
		fc.record({
			fault: fc.constantFrom(...FAULTS),
			skip: fc.integer({ min: 0, max: 6 }),
			carriedOut: fc.boolean(),
		}),
		{ maxLength: 3 },
	),
});

interface Run {
	type: NodeName;
	rows: number;
	maxConcurrency: number;
	shareEqual: boolean;
	faults: Array<{ fault: (typeof FAULTS)[number]; skip: number; carriedOut: boolean }>;
}

/** The last item of the output, and those before it. */
async function run({ type, rows, maxConcurrency, shareEqual, faults }: Run) {
	gateway.reset();
	gateway.emulator.behaviour.set('*', {
		faults: faults.map(({ fault, skip, carriedOut }) => ({
			...fault,
			skip,
			...(fault.kind === 'html' || fault.kind === 'resetBeforeHeaders' ? { carriedOut } : {}),
		})),
	});
	const options = { maxConcurrency, shareEqual, addSummary: true };
	const parameters = { ...NODES[type], model: byId(MODELS[type]), options };
	const { items } = await runWorkflow(oneNode(type, parameters, { onError: 'continueRegularOutput' }), {
		credential: gateway.credential(),
		input: Array.from({ length: rows }, (_, row) => ({ json: { row: row % 4 } })),
	});
	return { outputs: items.slice(0, -1), summary: items.at(-1)!.json };
}
describe('Summary item of a run', () => {
	it('says what the gateway counted, in 200 random runs with faults', async () => {
		await fc.assert(
			fc.asyncProperty(anyRun, async (planned) => {
				const { outputs, summary } = await run(planned);
				const { type, rows } = planned;
				const entries = gateway.emulator.journal.entries();
				expect(summary.requests).toBe(entries.length);
				expect(summary.refusals ?? 0).toBe(entries.filter(({ status }) => status === 429).length);
				expect(summary.models).toMatchObject(
					entries.length === 0 ? [] : [{ model: MODELS[type], requests: entries.length }],
				);
				const failed = outputs.filter(({ json }) => 'error' in json).length;
				expect(summary).toMatchObject({ items: rows, failedItems: failed });
				expect(outputs).toHaveLength(type === 'rerank' ? outputs.length : rows);
				// What never arrived is in the failure of its item.
				const answered = entries.filter(({ status, fault }) => status === 200 && fault === null);
				if (type === 'image') expect(summary.images ?? 0).toBe(answered.length);
				if (type === 'speech') {
					const texts = answered.map(({ body }) => (body as { input: string }).input);
					expect(summary.characters ?? 0).toBe(texts.join('').length);
				}
				if (type === 'chat' && !planned.shareEqual) {
					const tokens = outputs.reduce((sum, { json }) => sum + Number(json.inputTokens ?? 0), 0);
					expect(summary.inputTokens ?? 0).toBe(tokens);
				}
			}),
			{ numRuns: 200 },
		);
	});

	it('is the last item, linked to all others, and only there if it is wanted', async () => {
		const { outputs, summary } = await run({
			type: 'chat',
			rows: 3,
			maxConcurrency: 2,
			shareEqual: false,
			faults: [],
		});
		expect(outputs).toHaveLength(3);
		expect(summary).toEqual({
			...{ items: 3, failedItems: 0, reusedItems: 0, sharedItems: 0, requests: 3, retries: 0, refusals: 0 },
			...{ inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
			...{ seconds: expect.any(Number), secondsWaited: 0 },
			models: [
				{
					...{ model: 'aurora-4', requests: 3, refusals: 0 },
					...{ inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
				},
			],
		});
	});
});
