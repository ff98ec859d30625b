import type { Emulator, JournalEntry } from '../../../emulator';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { useFastClock } from '../faults/fastClock';

useFastClock(20);
let emulator: Emulator;
let testNumber = 0;

beforeAll(async () => {
	emulator = await startStrictEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	testNumber += 1;
	emulator.behaviour.reset();
	emulator.journal.clear();
});

/** Asks one model for each row and continues on failure. What is learned about a credential stays within its test. */
async function run(
	models: string[],
	{
		executionId = '1',
		parallelRequests = 5,
		onStart,
	}: { executionId?: string; parallelRequests?: number | null; onStart?: (cancel: () => void) => void } = {},
): Promise<RunResult> {
	const workflow = oneNode(
		'chat',
		{
			operation: 'chatCompletion',
			model: '={{ { __rl: true, mode: "id", value: $json.model } }}',
			prompt: '={{ $json.prompt }}',
			systemPrompt: '',
			simplify: true,
			options: { parallelRequests },
		},
		{ onError: 'continueErrorOutput' },
	);
	const input = models.map((model, row) => ({ json: { model, prompt: `Row ${row}.` } }));
	const requestsPerMinute = 1e7 + testNumber;
	const credential = { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute };
	return await runWorkflow(
		{ ...workflow, settings: { timezone: 'Asia/Tokyo' } },
		{ credential, input, executionId, onStart },
	);
}

const rowsOf = (result: RunResult, output: number) =>
	(result.outputs[output] ?? []).map(({ pairedItem }) => (pairedItem as { item: number }).item);
const models = (count: number, model = 'aurora-4-mini') => new Array<string>(count).fill(model);
const ofRow = (row: number) => (entry: JournalEntry) => JSON.stringify(entry.body).includes(`Row ${row}.`);
const modelOf = ({ body }: JournalEntry) => (body as { model: string }).model;

describe('A row that the gateway always refuses', () => {
	it.each([1, 5])('fails alone, behind 40 other rows, at concurrency %s', async (parallelRequests) => {
		emulator.behaviour.set('POST /v1/chat/completions', {
			latencyMs: 10,
			faults: [{ kind: 'status', status: 429, when: 'Row 2.', times: 'always' }],
		});
		const result = await run(models(41), { parallelRequests });
		expect(rowsOf(result, 1)).toEqual([2]);
		expect(rowsOf(result, 0)).toHaveLength(40);
		expect(result.outputs[1][0].json.error).toMatch(
			/^The rate limit of the gateway is reached \(tried 7 times\): /,
		);

		const entries = emulator.journal.entries();
		const ofBadRow = entries.filter(ofRow(2)).map((entry) => entries.indexOf(entry));
		const lastOfOthers = entries.findLastIndex((entry) => !ofRow(2)(entry));
		expect(ofBadRow).toHaveLength(7);
		expect(entries).toHaveLength(47);
		expect(lastOfOthers).toBeLessThan(ofBadRow.at(-1)!);
	});
});

describe('A model whose quota is used up', () => {
	const EXHAUSTED = 'aurora-4';
	const mixed = Array.from({ length: 40 }, (_, row) => (row % 2 === 0 ? EXHAUSTED : 'aurora-4-mini'));
	const rowsOfModel = (model: string) => [...mixed.keys()].filter((row) => mixed[row] === model);
	const exhausted = (seconds: string) => {
		const headers = { 'retry-after': seconds };
		emulator.behaviour.set('POST /v1/chat/completions', {
			faults: [{ kind: 'status', status: 429, when: `"${EXHAUSTED}"`, headers, times: 'always' }],
		});
	};
	beforeEach(() => exhausted('86400'));

	it('stops its own rows only, and the next execution as well', async () => {
		const refused = () => emulator.journal.entries((entry) => modelOf(entry) === EXHAUSTED).length;
		let before = 0;
		for (const executionId of ['1', '2']) {
			before = refused();
			const result = await run(mixed, { executionId });
			expect(rowsOf(result, 0)).toEqual(rowsOfModel('aurora-4-mini'));
			expect(rowsOf(result, 1)).toEqual(rowsOfModel(EXHAUSTED));
		}
		// Of the first ten requests, all may be under way before five refusals tell that the lane is refused.
		expect(before).toBeLessThanOrEqual(10);
		expect(refused()).toBe(before);
	});

	it.each([null, 5])(
		'holds up no other model while it is waited for, at concurrency %s',
		async (parallelRequests) => {
			exhausted('3');
			const many = Array.from({ length: 100 }, (_, row) => mixed[row % 2]);
			// The other rows would wait for ten minutes.
			const onStart = (cancel: () => void) =>
				void emulator.journal.until(50, ({ status }) => status === 200).then(cancel);
			await run(many, { parallelRequests, onStart }).catch(() => undefined);
			// While the model is waited for, a request tells from time to time whether it still has to be; how many do
			// depends on how long the other rows take. A model that is not waited for sends all its 50 rows, and again.
			expect(emulator.journal.entries(({ status }) => status === 429).length).toBeLessThan(40);
		},
	);

	it("says until when, in the workflow's time zone", async () => {
		jest
			.spyOn(systemClock, 'date')
			.mockReturnValueOnce(0)
			.mockReturnValue(Date.UTC(2030, 0, 31, 15, 4, 30));
		const result = await run(mixed);
		const messages = result.outputs[1].map(({ json }) => json.error);
		const limit = 'The rate limit of the gateway is reached until February 2, 00:05';
		expect(new Set(messages)).toEqual(
			new Set([
				`${limit} (tried once): Rate limit exceeded. Retry with exponential backoff.`,
				`${limit}, so this item was not sent`,
			]),
		);
	});
});
