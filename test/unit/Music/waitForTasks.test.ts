import { GatewayFailure, type FailureKind } from '../../../nodes/shared/errors/gatewayFailure';
import { Semaphore } from '../../../nodes/shared/runtime/pool';
import { waitForTasks, type TaskOutcome, type TaskWait } from '../../../nodes/Music/tasks/waitForTasks';
import { musicTaskSchema } from '../../../nodes/Music/tasks/musicTask';
import { FakeClock } from '../fakeClock';

const failure = (kind: FailureKind) => new GatewayFailure(kind, `${kind} happened`, 'Wait.');

/** Tasks that take a while on the clock, and what a wait for them did. */
function setUp(
	options: Partial<TaskWait> & { takesMs?: number; latencyMs?: number; concurrency?: number } = {},
) {
	const { takesMs = 60_000, latencyMs = 20, concurrency = 5, ...own } = options;
	const clock = new FakeClock();
	const startedAt = clock.now();
	const outcomes = new Map<string, TaskOutcome & { atMs: number }>();
	let polls = 0;
	let underWay = 0;
	let mostUnderWay = 0;
	const wait: TaskWait = {
		clock,
		signal: undefined,
		places: new Semaphore(concurrency),
		look: async () => {
			polls += 1;
			underWay += 1;
			mostUnderWay = Math.max(mostUnderWay, underWay);
			const over = clock.now() - startedAt >= takesMs;
			await clock.sleep(latencyMs);
			underWay -= 1;
			return musicTaskSchema.parse({ data: { status: over ? 'SUCCESS' : 'PROCESSING', progress: '50%' } });
		},
		intervalMs: 8_000,
		maxWaitMs: 15 * 60_000,
		lookAtOnce: false,
		refusalsTolerated: 0,
		onOutcome: async (taskId, outcome) => {
			outcomes.set(taskId, { ...outcome, atMs: clock.now() - startedAt });
		},
		...own,
	};
	const run = async (ids: string[]) => await clock.run(waitForTasks(ids, wait));
	const figures = () => ({ polls, mostUnderWay, lastMs: clock.now() - startedAt });
	return { run, outcomes, figures, clock, wait };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

test.each([5_000, 8_000, 10_000])(
	'50 tasks of 60 s, polled every %d ms: in time, with as few polls as can be, five at once',
	async (intervalMs) => {
		const { run, outcomes, figures } = setUp({ intervalMs, latencyMs: 5 });
		await run(ids(50));
		expect([...outcomes.values()].every(({ kind }) => kind === 'over')).toBe(true);
		const { polls, mostUnderWay, lastMs } = figures();
		expect(lastMs).toBeLessThanOrEqual(60_000 + intervalMs);
		expect(polls).toBeLessThanOrEqual(50 * Math.ceil(60_000 / intervalMs) * 1.1);
		expect(mostUnderWay).toBe(5);
	},
);

test('a task that is over leaves while the others are still waited for', async () => {
	const { run, outcomes, clock, wait } = setUp();
	const slow = wait.look;
	wait.look = async (taskId, signal) =>
		taskId === 't0' ? musicTaskSchema.parse({ data: { status: 'SUCCESS' } }) : await slow(taskId, signal);
	await run(ids(2));
	expect(outcomes.get('t0')!.atMs).toBeLessThan(9_000);
	expect(outcomes.get('t1')!.atMs).toBeGreaterThanOrEqual(60_000);
	expect(clock.now()).toBeGreaterThan(0);
});

test('one hanging poll holds up no other task', async () => {
	const { run, outcomes, wait } = setUp({ maxWaitMs: 120_000 });
	const usual = wait.look;
	wait.look = async (taskId, signal) => {
		if (taskId !== 't0') return await usual(taskId, signal);
		await new Promise((resolve) => signal.addEventListener('abort', resolve));
		throw failure('cancelled');
	};
	await run(ids(3));
	expect(outcomes.get('t1')).toMatchObject({ kind: 'over' });
	expect(outcomes.get('t1')!.atMs).toBeLessThan(70_000);
	expect(outcomes.get('t0')).toMatchObject({ kind: 'unfinished', because: 'timedOut' });
	expect(outcomes.get('t0')!.atMs).toBeLessThanOrEqual(131_000);
});

test.each<FailureKind>(['rateLimit', 'gateway', 'interrupted', 'unreachable', 'answer', 'address'])(
	'polls that fail with "%s" do no harm',
	async (kind) => {
		const { run, outcomes, wait } = setUp({ takesMs: 20_000 });
		const usual = wait.look;
		let failing = 4;
		wait.look = async (taskId, signal) => {
			if (failing-- > 0) throw failure(kind);
			return await usual(taskId, signal);
		};
		await run(ids(2));
		expect([...outcomes.values()].map((outcome) => outcome.kind)).toEqual(['over', 'over']);
	},
);

test('a key that is refused ends the wait for that task at once', async () => {
	const { run, outcomes, wait, figures } = setUp();
	wait.look = async () => await Promise.reject(failure('authentication'));
	await run(ids(2));
	expect(outcomes.get('t0')).toMatchObject({ kind: 'unknown' });
	expect(figures().lastMs).toBeLessThan(9_000);
});

test('"no such task" is believed at once for an old task and the third time for a new one', async () => {
	for (const refusalsTolerated of [0, 2]) {
		const { run, outcomes, wait } = setUp({ refusalsTolerated });
		let looks = 0;
		wait.look = async () => {
			looks += 1;
			return await Promise.reject(failure('notFound'));
		};
		await run(['t0']);
		expect(outcomes.get('t0')).toMatchObject({ kind: 'unknown' });
		expect(looks).toBe(refusalsTolerated + 1);
	}
});

test('time that runs out looks once more and keeps what was seen last', async () => {
	const { run, outcomes, figures } = setUp({ takesMs: 1e9, maxWaitMs: 20_000 });
	await run(['t0']);
	expect(outcomes.get('t0')).toMatchObject({
		kind: 'unfinished',
		because: 'timedOut',
		lastSeen: { status: 'PROCESSING', progress: '50%' },
	});
	expect(figures()).toMatchObject({ polls: 3 });
	expect(figures().lastMs).toBeLessThan(20_100);
});

test('a task that was never seen ends with why it was not', async () => {
	const { run, outcomes, wait } = setUp({ maxWaitMs: 20_000 });
	wait.look = async () => await Promise.reject(failure('unreachable'));
	await run(['t0']);
	expect(outcomes.get('t0')).toMatchObject({ kind: 'unknown', failure: { kind: 'unreachable' } });
});

test('no wait at all is one look', async () => {
	const { run, outcomes, figures } = setUp({ maxWaitMs: 0, lookAtOnce: true });
	await run(['t0']);
	expect(figures().polls).toBe(1);
	expect(outcomes.get('t0')).toMatchObject({ because: 'timedOut', lastSeen: { status: 'PROCESSING' } });
});

test('cancelling settles every task at once', async () => {
	const stop = new AbortController();
	const { run, outcomes, wait, figures } = setUp({ signal: stop.signal, takesMs: 1e9 });
	const usual = wait.look;
	wait.look = async (taskId, signal) => {
		const seen = await usual(taskId, signal);
		if (figures().polls === 6) stop.abort();
		return seen;
	};
	await run(ids(3));
	expect([...outcomes.values()]).toEqual(
		ids(3).map(() => expect.objectContaining({ kind: 'unfinished', because: 'cancelled' })),
	);
	expect(figures().lastMs).toBeLessThan(17_000);
});
