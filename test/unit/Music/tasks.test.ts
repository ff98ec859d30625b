import { readMusicTask, readSubmitted } from '../../../nodes/Music/tasks/musicTask';
import { GatewayFailure, type FailureKind } from '../../../nodes/shared/errors/gatewayFailure';
import type { GatewayClient } from '../../../nodes/shared/send/client';
import { queryTask } from '../../../nodes/Music/tasks/queryTask';
import { waitForTasks, type TaskOutcome, type TaskWait } from '../../../nodes/Music/tasks/waitForTasks';
import { FakeClock } from '../fakeClock';

const task = (fields: object, outer: object = { code: 'success', message: '' }) =>
	readMusicTask({ ...outer, data: { task_id: 't1', progress: '40%', ...fields } });

describe('readSubmitted', () => {
	it.each([
		['an object', { code: 'success', data: { task_id: 't1', status: 'PENDING' } }, 'PENDING'],
		['another status', { code: 'success', data: { task_id: 't1', status: 'QUEUED' } }, 'QUEUED'],
		['a bare ID', { code: 'success', message: '', data: 't1' }, 'PENDING'],
		['camel case names', { status: 'success', data: { taskId: 't1' } }, 'PENDING'],
		['a different success marker', { result: 'success', data: { task_id: 't1' } }, 'PENDING'],
	])('reads %s', (_name, body, status) => {
		expect(readSubmitted(body)).toEqual({ taskId: 't1', status });
	});

	it('turns a number into a text ID', () => {
		expect(readSubmitted({ data: { task_id: 17 } })?.taskId).toBe('17');
	});

	it.each([null, 'text', [], {}, { data: null }, { data: {} }, { data: { task_id: ' ' } }, { id: 'req-1' }])(
		'rejects %j',
		(body) => {
			expect(readSubmitted(body)).toBeUndefined();
		},
	);
});

describe('readMusicTask: task', () => {
	it.each([
		['pending', 'PENDING PROCESSING NOT_START SUBMITTED QUEUED IN_PROGRESS ON_THE_MOON'],
		['success', 'SUCCESS success COMPLETED complete Succeeded'],
		['failed', 'FAILED FAILURE ERROR Canceled CANCELLED TIMEOUT GENERATE_AUDIO_FAILED'],
	])('is %s with each of the statuses %s', (state, statuses) => {
		for (const status of statuses.split(' ')) {
			expect(task({ status })).toMatchObject({ state, status, progress: '40%' });
		}
	});

	it('accepts any name of the success marker and does not use its value as the status', () => {
		const markers = [{ success: true }, { status: 'success' }, { result: 'success' }, { msg: 'ok' }, {}];
		for (const outer of markers) expect(task({ status: 'PROCESSING' }, outer).state).toBe('pending');
		expect(() => readMusicTask({ status: 'success', data: null })).toThrow('"data.status" is missing');
	});

	const refusals = [{ success: 'false' }, { code: 'fail' }, { code: 'error', message: 'No' }, { code: 500 }];
	it.each([{ success: false }, ...refusals])('is refused when the success marker says no: %j', (outer) => {
		expect(() => task({ status: 'PROCESSING' }, outer)).toThrow('the request was not successful');
		expect(() => task({ status: 'SUCCESS', data: tracks }, outer)).toThrow('the request was not successful');
		expect(task({ status: 'FAILED', fail_reason: 'No' }, outer).failReason).toBe('No');
	});

	const tracks = [{ audioUrl: 'https://x/1.mp3' }];

	it.each([
		['a finish time and tracks', { finish_time: 1_700_000_000, data: tracks }, 'success'],
		['a finish time and nothing', { finish_time: 1_700_000_000 }, 'failed'],
		['a finish time and a reason', { finish_time: 1_700_000_000, fail_reason: 'No', data: tracks }, 'failed'],
		['tracks', { data: tracks }, 'pending'],
	])('with an unknown status and %s is over, or not', (_what, fields, state) => {
		expect(task({ status: 'ON_THE_MOON', ...fields }).state).toBe(state);
	});

	it('reads when it was submitted and finished, and 0 as no time', () => {
		const at = '2023-11-14T22:13:20.000Z';
		const times = (fields: object) => task({ status: 'SUCCESS', ...fields });
		const both = { submittedAt: at, finishedAt: at };
		expect(times({ submit_time: 1_700_000_000, finishTime: at })).toMatchObject(both);
		const none = { submittedAt: undefined, finishedAt: undefined };
		expect(times({ submitTime: 'soon', finish_time: 0 })).toMatchObject(none);
	});

	it.each([
		['40%', '40%'],
		[40, '40%'],
		[null, undefined],
		[{ of: 100 }, undefined],
	])('reads the progress %j as %j', (progress, shown) => {
		expect(task({ status: 'PENDING', progress }).progress).toBe(shown);
	});
});

describe('readMusicTask: tracks', () => {
	const read = (track: object) => task({ status: 'SUCCESS', data: [track] }).tracks[0];
	const [audio, stream, image] = ['https://x/a.mp3', 'https://x/s.mp3', 'https://x/a.png'];
	const expected = {
		...{ id: 'a', title: 'Snow', audioUrl: audio, streamAudioUrl: stream, imageUrl: image },
		tags: 'folk, calm',
		model: 'music-v5',
		createdAt: '2023-11-14T22:13:20.000Z',
		durationSeconds: 181.5,
	};

	const common = { id: 'a', title: 'Snow', prompt: 'Snow falls' };
	it.each([
		{
			...{ ...common, audioUrl: audio, streamAudioUrl: stream, imageUrl: image, tags: 'folk, calm' },
			...{ modelName: 'music-v5', createTime: 1_700_000_000_000, duration: 181.5 },
		},
		{
			...{ ...common, audio_url: audio, stream_audio_url: stream, image_url: image, tags: ['folk', 'calm'] },
			...{ model_name: 'music-v5', create_time: '2023-11-14T22:13:20Z', duration: '181.5' },
		},
	])('have names in camel case or snake case: %j', (track) => {
		expect(read(track)).toEqual({ ...expected, raw: track });
	});

	it('reads fields that are null and skips entries that are not tracks', () => {
		const track = { id: null, title: null, audioUrl: '', duration: null, tags: null, createTime: null };
		// Fields that are undefined equal none.
		expect(read(track)).toEqual({ raw: track });
		const data = [null, 'x', { id: 'a' }];
		expect(task({ status: 'SUCCESS', data })).toMatchObject({ tracks: [{ id: 'a' }], unreadableTracks: 2 });
		expect(task({ status: 'SUCCESS', data: null }).tracks).toEqual([]);
	});

	it('are also found where Suno API has them', () => {
		const response = { sunoData: [{ id: 'a' }, { id: 'b' }] };
		expect(task({ status: 'SUCCESS', response }).tracks).toHaveLength(2);
	});
});

/** A gateway whose queries all fail in this way. */
const failing = (failure: Error) =>
	({ json: async () => await Promise.reject(failure) }) as unknown as GatewayClient;

describe('Query of a task that fails', () => {
	it.each([
		['a busy gateway', new GatewayFailure('gateway', 'The gateway is busy', 'Try again.', { status: 503 })],
		['an unknown task', new GatewayFailure('notFound', 'Not found', 'Check the address.', { status: 404 })],
		[
			'an unknown task that is named by its code',
			new GatewayFailure('input', 'Rejected', 'Check the task.', { status: 400, code: 'task_not_exist' }),
		],
		['anything else', new Error('broken')],
	])('names the task for %s, because its song is paid for', async (_, failure) => {
		const named = { facts: { taskId: 't1' } };
		await expect(queryTask(failing(failure), 't1', {})).rejects.toMatchObject(named);
	});
});

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
			return readMusicTask({ data: { status: isFinished ? 'SUCCESS' : 'PROCESSING', progress: '50%' } });
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
		const lastSeen = { status: 'PROCESSING', progress: '50%' };
		expect(outcomes.get('t0')).toMatchObject({ kind: 'unfinished', because: 'timedOut', lastSeen });
		expect(figures()).toMatchObject({ polls: 3 });
		expect(figures().lastMs).toBeLessThan(20_100);
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
		const cancelled = { kind: 'unfinished', because: 'cancelled' };
		expect([...outcomes.values()]).toMatchObject([cancelled, cancelled, cancelled]);
		expect(figures().lastMs).toBeLessThan(17_000);
	});
});
