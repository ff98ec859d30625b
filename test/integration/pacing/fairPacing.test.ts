import { systemClock } from '../../../nodes/shared/limiter/clock';
import { type RunOptions, runWorkflow, type RunResult } from '../engine/runWorkflow';
import { useChat } from '../engine/useChat';
import { useFastClock } from '../faults/fastClock';

useFastClock(20);
const chat = useChat();
const EXHAUSTED = 'aurora-4';
const models = Array.from({ length: 40 }, (_, row) => (row % 2 === 0 ? EXHAUSTED : 'aurora-4-mini'));
const rowsOfModel = (model: string) => [...models.keys()].filter((row) => models[row] === model);
const rowsOf = ({ outputs }: RunResult, output: number) =>
	outputs[output].map(({ pairedItem }) => (pairedItem as { item: number }).item);
const refused = () => chat.emulator.journal.count(({ status }) => status === 429);

/** Asks one model for each row. */
async function run(options: Partial<RunOptions> = {}): Promise<RunResult> {
	const model = '={{ { __rl: true, mode: "id", value: $json.model } }}';
	const parameters = { model, options: { parallelRequests: 5 } };
	const workflow = chat.workflow({ operation: 'chatCompletion', ...parameters }, { onError: 'continueErrorOutput' });
	const input = models.map((one) => ({ json: { model: one } }));
	const settings = { timezone: 'Asia/Tokyo' };
	return await runWorkflow({ ...workflow, settings }, { credential: chat.credential(), input, ...options });
}

describe('A model whose quota is used up', () => {
	beforeEach(() => {
		const headers = { 'retry-after': '86400' };
		const refusal = {
			kind: 'status',
			status: 429,
			when: `"${EXHAUSTED}"`,
			headers,
			times: 'always',
		} as const;
		chat.fail('POST /v1/chat/completions', refusal);
	});

	it('stops its own rows only, and the next execution as well', async () => {
		for (const executionId of ['1', '2']) {
			const result = await run({ executionId });
			expect(rowsOf(result, 0)).toEqual(rowsOfModel('aurora-4-mini'));
			expect(rowsOf(result, 1)).toEqual(rowsOfModel(EXHAUSTED));
			// Of the first ten requests, all may be under way before five refusals tell that the lane is refused.
			expect(refused()).toBeLessThanOrEqual(10);
		}
	});

	it("says until when, in the workflow's time zone", async () => {
		jest
			.spyOn(systemClock, 'date')
			.mockReturnValueOnce(0)
			.mockReturnValue(Date.UTC(2030, 0, 31, 15, 4, 30));
		const { outputs } = await run();
		const limit = 'The rate limit of the gateway is reached until February 2, 00:05';
		expect(new Set(outputs[1].map(({ json }) => json.error))).toEqual(
			new Set([
				`${limit} (tried once): Rate limit exceeded. Retry with exponential backoff.`,
				`${limit}, so this item was not sent`,
			]),
		);
	});
});
