import { GatewayFailure, type FailureKind } from '../../../nodes/shared/errors/gatewayFailure';
import { waitForTasks, type TaskOutcome, type TaskWait } from '../../../nodes/Music/tasks/waitForTasks';
import { readMusicTask } from '../../../nodes/Music/tasks/musicTask';
import { FakeClock } from '../fakeClock';

const failure = (kind: FailureKind) => new GatewayFailure(kind, `${kind} happened`, 'Wait.');

/** Tasks that take some time on the clock, and what a wait for them did. */
function setUp(options: Partial<TaskWait> & { takesMs?: number; latencyMs?: number } = {}) {
	const { takesMs = 60_000, latencyMs = 20, ...own } = options;
	const clock = new FakeClock();
	const startedAt = clock.now();
	const outcomes = new Map<string, TaskOutcome & { atMs: number }>();
	let polls = 0;
	const wait: TaskWait = {
		clock,
		signal: undefined,
		query: async () => {
			polls += 1;
			const isFinished = clock.now() - startedAt >= takesMs;
			await clock.sleep(latencyMs);
			return readMusicTask({
				data: { status: isFinished ? 'SUCCESS' : 'PROCESSING', progress: '50%' },
			});
		},
		intervalMs: 8_000,
		maxWaitMs: 15 * 60_000,
		pollsImmediately: false,
		toleratedRefusals: 0,
		onOutcome: async (taskId, outcome) => {
			outcomes.set(taskId, { ...outcome, atMs: clock.now() - startedAt });
		},
		...own,
	};
	const run = async (ids: string[]) => await clock.run(waitForTasks(ids, wait));
	const figures = () => ({ polls, lastMs: clock.now() - startedAt });
	return { run, outcomes, figures, clock, wait };
}

const ids = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

describe('waitForTasks', () => {
	it('reports a finished task while it waits for the others', async () => {
		const { run, outcomes, clock, wait } = setUp();
		const usual = wait.query;
		wait.query = async (taskId, signal) =>
			taskId === 't0' ? readMusicTask({ data: { status: 'SUCCESS' } }) : await usual(taskId, signal);
		await run(ids(2));
		expect(outcomes.get('t0')!.atMs).toBeLessThan(9_000);
		expect(outcomes.get('t1')!.atMs).toBeGreaterThanOrEqual(60_000);
		expect(clock.now()).toBeGreaterThan(0);
	});

	it('continues with the other tasks while one poll hangs', async () => {
		const { run, outcomes, wait } = setUp({ maxWaitMs: 120_000 });
		const usual = wait.query;
		wait.query = async (taskId, signal) => {
			if (taskId !== 't0') return await usual(taskId, signal);
			await new Promise((resolve) => signal.addEventListener('abort', resolve));
			throw failure('cancelled');
		};
		await run(ids(3));
		expect(outcomes.get('t1')).toMatchObject({ kind: 'finished' });
		expect(outcomes.get('t1')!.atMs).toBeLessThan(70_000);
		expect(outcomes.get('t0')).toMatchObject({ kind: 'unfinished', because: 'timedOut' });
		expect(outcomes.get('t0')!.atMs).toBeLessThanOrEqual(131_000);
	});

	it.each<FailureKind>(['rateLimit', 'gateway', 'interrupted', 'unreachable', 'answer', 'address'])(
		'continues after polls that fail with "%s"',
		async (kind) => {
			const { run, outcomes, wait } = setUp({ takesMs: 20_000 });
			const usual = wait.query;
			let failing = 4;
			wait.query = async (taskId, signal) => {
				if (failing-- > 0) throw failure(kind);
				return await usual(taskId, signal);
			};
			await run(ids(2));
			expect([...outcomes.values()].map((outcome) => outcome.kind)).toEqual(['finished', 'finished']);
		},
	);

	it('ends the wait for a task immediately when the gateway rejects the key', async () => {
		const { run, outcomes, wait, figures } = setUp();
		wait.query = async () => await Promise.reject(failure('authentication'));
		await run(ids(2));
		expect(outcomes.get('t0')).toMatchObject({ kind: 'unknown' });
		expect(figures().lastMs).toBeLessThan(9_000);
	});

	it('accepts "no such task" immediately for an old task, and the third time for a new one', async () => {
		for (const toleratedRefusals of [0, 2]) {
			const { run, outcomes, wait } = setUp({ toleratedRefusals });
			let polls = 0;
			wait.query = async () => {
				polls += 1;
				return await Promise.reject(failure('notFound'));
			};
			await run(['t0']);
			expect(outcomes.get('t0')).toMatchObject({ kind: 'unknown' });
			expect(polls).toBe(toleratedRefusals + 1);
		}
	});

	it('polls once more after Max Wait and keeps the last known state', async () => {
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

	it('reports why all polls of a task failed', async () => {
		const { run, outcomes, wait } = setUp({ maxWaitMs: 20_000 });
		wait.query = async () => await Promise.reject(failure('unreachable'));
		await run(['t0']);
		expect(outcomes.get('t0')).toMatchObject({ kind: 'unknown', failure: { kind: 'unreachable' } });
	});

	it('polls once when Max Wait is 0', async () => {
		const { run, outcomes, figures } = setUp({ maxWaitMs: 0, pollsImmediately: true });
		await run(['t0']);
		expect(figures().polls).toBe(1);
		expect(outcomes.get('t0')).toMatchObject({ because: 'timedOut', lastSeen: { status: 'PROCESSING' } });
	});

	it('settles every task immediately when it is canceled', async () => {
		const stop = new AbortController();
		const { run, outcomes, wait, figures } = setUp({ signal: stop.signal, takesMs: 1e9 });
		const usual = wait.query;
		wait.query = async (taskId, signal) => {
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
});
