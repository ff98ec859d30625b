import { retryRun } from '../engine/retry';
import { useFastClock } from '../faults/fastClock';
import { FACTOR } from './unclearFaults';
import { detailsOf, paidOperation, UnclearRun, wordsOf } from './unclearRun';

useFastClock(FACTOR);

const lost = { kind: 'html', status: 504, carriedOut: true } as const;
const operation = paidOperation('image');
let run: UnclearRun;
beforeAll(async () => {
	run = await UnclearRun.of('Idempotency-Key');
});
afterAll(async () => await run.emulator.close());

describe('An attempt that may have been carried out', () => {
	it.each([400, 401, 429, 503])(
		'is not forgotten when the last attempt ends with status %d',
		async (status) => {
			const faults = [lost, { kind: 'status', status, times: 'always' } as const];
			const result = await run.start(operation, {
				faults,
				options: { maxRetries: 1, repeatWhenUnclear: true },
			});
			expect(detailsOf(result)).toMatchObject({ status, mayHaveBeenCarriedOut: true });
			expect(wordsOf(result)).toContain('may have carried out an earlier attempt');
			expect(wordsOf(result)).not.toMatch(/not carried out|Nothing was sent/);
		},
	);

	it('keeps its idempotency key for a retry when the gateway is busy afterwards', async () => {
		const faults = [lost, { kind: 'status', status: 503, times: 2 } as const];
		const credential = { idempotencyHeader: 'Idempotency-Key' };
		const failed = await run.start(operation, { faults, credential, options: { maxRetries: 2 } });
		expect(failed.error).toBeDefined();
		const retried = await retryRun(run.workflow!, failed, {
			credential: run.credential,
			executionId: 'second',
		});
		expect(retried.error).toBeUndefined();
		expect(run.payments).toBe(1);
	});
});
