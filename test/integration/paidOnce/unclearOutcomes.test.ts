import { retryRun } from '../engine/retry';
import { useFastClock } from '../faults/fastClock';
import { FACTOR, NOT_TAKEN, TOO_LATE, UNCLEAR, type UnclearFault } from './unclearFaults';
import {
	detailsOf,
	paidOperation,
	paidOperations,
	UnclearRun,
	wordsOf,
	type PaidOperation,
	type UnclearRunSettings,
} from './unclearRun';

useFastClock(FACTOR);

/** A gateway for each of the runs that take place at the same time. */
let runs: UnclearRun[];
beforeAll(async () => {
	const count = Math.max(UNCLEAR.length, paidOperations.length);
	runs = await Promise.all(Array.from({ length: count }, async () => await UnclearRun.of()));
});
afterAll(async () => await Promise.all(runs.map(async ({ emulator }) => await emulator.close())));

/** The sums of requests of an operation that is sent completely, and never twice. */
const once = ({ variant }: PaidOperation) => (variant === 'two parts, joined' ? [1, 1] : [1]);
const twice = (operation: PaidOperation) => [2, ...once(operation).slice(1)];
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

type Result = Awaited<ReturnType<UnclearRun['start']>>;
type Check = (run: UnclearRun, result: Result, operation: PaidOperation) => void;

/** Runs operations under faults, each with a gateway of its own. @returns what is wrong */
async function underFaults(
	pairs: Array<[PaidOperation, UnclearFault]>,
	settings: UnclearRunSettings,
	check: Check,
): Promise<string[]> {
	const broken: string[] = [];
	const tried = pairs.filter(([{ parameters }, { inStreams }]) => parameters.stream === true || !inStreams);
	await Promise.all(
		tried.map(async ([operation, { name, fault, timeoutSeconds }], index) => {
			const limit = timeoutSeconds === undefined ? {} : { timeoutSeconds };
			const options = { ...limit, ...settings.options };
			const result = await runs[index].start(operation, { ...settings, faults: [fault], options });
			try {
				check(runs[index], result, operation);
			} catch (error) {
				broken.push(`${operation.title}, ${name}: ${(error as Error).message}`);
			}
		}),
	);
	return broken;
}

const CONTINUES = { settings: { onError: 'continueRegularOutput' } } as const;
const REPEATS = { options: { retryUnclear: true } };
const failsOnce: Check = (run, result, operation) => {
	expect(run.posts).toEqual(once(operation));
	expect(detailsOf(result)).toMatchObject({ mayHaveBeenCarriedOut: true, attempts: 1 });
	expect(wordsOf(result)).toMatch(/may have (carried the request out|been created)/);
	expect(wordsOf(result)).not.toContain('Nothing was sent');
};
const works: Check = (_run, result) => {
	expect(result.error).toBeUndefined();
	expect(detailsOf(result)).toBeUndefined();
};
const worksTheSecondTime: Check = (run, result, operation) => {
	works(run, result, operation);
	expect(run.posts).toEqual(twice(operation));
};
/** Whether the gateway has carried out the request, and says so when it is repeated. */
const isTaken = ({ once: isUnique }: PaidOperation, { fault }: UnclearFault) =>
	isUnique === true && 'afterBytes' in fault;

describe('A paid request whose outcome is unclear', () => {
	it.each(paidOperations)('is not repeated by $title, and fails with words', async (operation) => {
		const pairs = UNCLEAR.map((fault): [PaidOperation, UnclearFault] => [operation, fault]);
		expect(await underFaults(pairs, CONTINUES, failsOnce)).toEqual([]);
	});

	it.each(TOO_LATE)('is not repeated after $name, and fails with words', async (fault) => {
		const pairs = paidOperations.map((operation): [PaidOperation, UnclearFault] => [operation, fault]);
		expect(await underFaults(pairs, CONTINUES, failsOnce)).toEqual([]);
	});

	it.each(paidOperations)('is repeated by $title if the user wants that', async (operation) => {
		const pairs = UNCLEAR.map((fault): [PaidOperation, UnclearFault] => [operation, fault]);
		const wanted = pairs.filter((pair) => !isTaken(...pair));
		expect(await underFaults(wanted, REPEATS, worksTheSecondTime)).toEqual([]);
	});

	it.each(TOO_LATE)('is repeated after $name if the user wants that', async (fault) => {
		const pairs = paidOperations.map((operation): [PaidOperation, UnclearFault] => [operation, fault]);
		const wanted = pairs.filter((pair) => !isTaken(...pair));
		const broken = await underFaults(wanted, REPEATS, (run, result, operation) => {
			works(run, result, operation);
			// On a busy machine, a repetition may also take too long.
			expect(run.posts[0]).toBeGreaterThanOrEqual(2);
		});
		expect(broken).toEqual([]);
	});

	it.each(paidOperations)('is not repeated by Retry On Fail, but by Retry: $title', async (operation) => {
		const [run] = runs;
		const failed = await run.start(operation, {
			faults: [{ kind: 'html', status: 504, carriedOut: !operation.once }],
			settings: RETRY_ON_FAIL,
			executionId: 'first',
		});
		expect(detailsOf(failed)).toMatchObject({ mayHaveBeenCarriedOut: true });
		expect(run.posts).toEqual(once(operation));

		const { credential } = run;
		const retried = await retryRun(run.workflow!, failed, { credential, executionId: 'second' });
		expect(retried.error).toBeUndefined();
		expect(run.posts).toEqual(twice(operation));
	});

	it('is not repeated by Retry On Fail when the node continues on errors', async () => {
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const result = await runs[0].start(paidOperation('image'), {
				faults: [{ kind: 'html', status: 502 }],
				settings: { ...RETRY_ON_FAIL, onError },
			});
			expect(detailsOf(result)).toMatchObject({ status: 502, mayHaveBeenCarriedOut: true });
			expect(runs[0].posts).toEqual([1]);
		}
	});

	it('is repeated by Retry On Fail if the user wants that', async () => {
		const { error } = await runs[0].start(paidOperation('image'), {
			faults: [{ kind: 'html', status: 502 }],
			settings: RETRY_ON_FAIL,
			options: { retryUnclear: true, maxRetries: 0 },
		});
		expect(error).toBeUndefined();
		expect(runs[0].posts).toEqual([2]);
	});
});

describe('A paid request that the gateway has not taken', () => {
	it.each(paidOperations)('is repeated by $title', async (operation) => {
		const faults = NOT_TAKEN.filter(({ name }) => name !== '500' || !operation.creates);
		const pairs = faults.map((fault): [PaidOperation, UnclearFault] => [operation, fault]);
		expect(await underFaults(pairs, {}, worksTheSecondTime)).toEqual([]);
	});

	it.each(paidOperations.filter(({ creates }) => creates))(
		'is not assumed after status 500 by $title, which may have created something',
		async (operation) => {
			const [run] = runs;
			const result = await run.start(operation, { faults: [{ kind: 'status', status: 500 }] });
			expect(detailsOf(result)).toMatchObject({ status: 500, mayHaveBeenCarriedOut: true });
			expect(run.posts).toEqual([1]);
		},
	);
});
