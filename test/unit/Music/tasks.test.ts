import {
	type MusicTask,
	queryTask,
	readMusicTask,
	readSubmitted,
	readSubmittedTask,
	type TaskOutcome,
} from '../../../nodes/Music/tasks/musicTask';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import type { FailureKind } from '../../../nodes/shared/failure/kinds';
import type { GatewayClient } from '../../../nodes/shared/send/client';
import { allSettledOrThrow, resultsOf } from '../../../nodes/Music/tasks/results';
import type { Call } from '../../../nodes/shared/run/call';
import { type TaskWait, waitForTasks } from '../../../nodes/Music/tasks/waitForTasks';
import { answerOf } from '../answerOf';
import { FakeClock } from '../fakeClock';
import fc from 'fast-check';

const task = (fields: object, outer: object = { code: 'success', message: '' }) =>
	readMusicTask({ ...outer, data: { task_id: 't1', progress: '40%', ...fields } });

describe('readSubmitted', () => {
	it.each([
		['an object', { code: 'success', data: { task_id: 't1', status: 'PENDING' } }, 'PENDING'],
		['another status', { code: 'success', data: { task_id: 't1', status: 'QUEUED' } }, 'QUEUED'],
		['a different success marker', { result: 'success', data: { task_id: 't1' } }, 'PENDING'],
		['a number', { data: { task_id: 17 } }, 'PENDING', '17'],
		['an ID beside the data', { task_id: 't1', base_resp: { status_code: 0 } }, 'PENDING'],
		['that in camel case', { taskId: 't1' }, 'PENDING'],
		['a list of one', { code: 200, data: [{ task_id: 't1', status: 'submitted' }] }, 'submitted'],
	])('reads %s', (_name, body, status, taskId = 't1') => {
		expect(readSubmitted(body)).toEqual({ taskId, status });
	});

	it.each(['{"data":{"task_id":"t1","sta', '{ "data" : { "taskId" : "t1"'])(
		'reads the ID of a response that breaks off: %s',
		async (text) => {
			const answer = answerOf(text, { error: new Error('gone') });
			expect(await readSubmittedTask(answer)).toMatchObject({ taskId: 't1' });
		},
	);

	it('fails like every other request if the response is a web page', async () => {
		const page = answerOf('<!DOCTYPE html><html><body>Sign in</body></html>', { contentType: 'text/html' });
		await expect(readSubmittedTask(page)).rejects.toMatchObject({
			kind: 'address',
			verdict: { charge: 'possible', again: 'never' },
		});
	});

	it.each<[unknown]>([
		...[null, 'text', [], {}, { id: 'req-1' }].map((body): [unknown] => [body]),
		...[null, {}, [], { task_id: ' ' }, [{ task_id: 'a' }, { task_id: 'b' }]].map((data): [unknown] => [
			{ data },
		]),
	])('rejects %j', (body) => {
		expect(readSubmitted(body)).toBeUndefined();
	});
});

describe('The failure of a finished task', () => {
	const audible = [{ audioUrl: 'https://x/1.mp3' }];
	it.each<[string, object, RegExp]>([
		[
			'without tracks',
			{ status: 'SUCCESS', data: [] },
			/may arrive later.*Wait for Music Tasks.*costs nothing/,
		],
		['without a link', { status: 'SUCCESS', data: [{ title: 'a' }, {}] }, /may arrive later/],
		['that failed', { status: 'FAILED' }, /^Fix the stated reason.*operator of the gateway\.$/],
		['that failed with tracks', { status: 'FAILED', data: audible }, /try the links in the error details/],
		['whose callback failed', { status: 'CALLBACK_EXCEPTION', data: audible }, /tracks have arrived/],
	])('says what to do: %s', async (_what, fields, advice) => {
		const settings = { simplify: true, perTask: true, audioField: 'data', coverField: undefined };
		const call = { hint: () => {} } as unknown as Call;
		const [result] = await resultsOf(call, 't1', { kind: 'finished', task: task(fields) }, settings);
		expect('failure' in result && result.failure.advice).toMatch(advice);
	});
});

describe('A finished task', () => {
	const track = { audioUrl: 'https://x/1.mp3' };
	it.each<[string, object[], number]>([
		['is kept for a retry', [track], 1],
		['is not kept if a track may still arrive', [track, {}], 0],
		[
			'is not kept if it is as long as one with its files inside',
			[{ ...track, lyrics: 'la'.repeat(60_000) }],
			0,
		],
	])('%s', async (_what, data, times) => {
		const settings = { simplify: true, perTask: true, audioField: undefined, coverField: undefined };
		const keep = jest.fn();
		const call = { hint: () => {}, payments: { keep } } as unknown as Call;
		const finished = task({ status: 'SUCCESS', data });
		await resultsOf(call, 't1', { kind: 'finished', task: finished }, settings);
		expect(keep).toHaveBeenCalledTimes(times);
	});

	it.each([true, false])(
		'is one item with its tracks, or one for each (one item per task: %s)',
		async (perTask) => {
			const settings = { simplify: true, perTask, audioField: undefined, coverField: undefined };
			const call = { hint: () => {}, payments: { keep: () => {} } } as unknown as Call;
			const titles = ['One', 'Two'];
			const finished = task({ status: 'SUCCESS', data: titles.map((title) => ({ ...track, title })) });
			const results = await resultsOf(call, 't1', { kind: 'finished', task: finished }, settings);
			const items = results.map((result) => 'json' in result && result.json);
			const listed = titles.map((title) => ({ title, audioUrl: track.audioUrl }));
			expect(items).toMatchObject(perTask ? [{ taskId: 't1', tracks: listed }] : listed);
		},
	);
});

describe('readMusicTask: task', () => {
	it('is finished with each of the words of public APIs for that', () => {
		for (const status of 'SUCCESS success COMPLETED complete Succeeded succeed done finished'.split(' ')) {
			expect(task({ status, progress: 40 })).toMatchObject({ state: 'success', status, progress: '40%' });
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
		for (const name of ['fail_reason', 'errorMessage']) {
			expect(task({ status: 'FAILED', [name]: 'No' }, outer).failReason).toBe('No');
		}
		expect(task({ status: 'failed', error: { message: 'No' } }, outer).failReason).toBe('No');
		expect(task({ status: 'failed', error: { code: 0, message: '' } }, outer).failReason).toBe('failed');
		expect(task({ status: 'FAILED' }, outer).failReason).toBe('FAILED');
	});

	const tracks = [{ audioUrl: 'https://x/1.mp3' }];

	it.each([
		['a finish time and tracks', { finish_time: 1_700_000_000, data: tracks }, 'success'],
		['a finish time and nothing', { finish_time: 1_700_000_000 }, 'failed'],
		['a finish time and a reason', { finish_time: 1_700_000_000, fail_reason: 'No', data: tracks }, 'failed'],
		['tracks', { data: tracks }, 'pending'],
	])('with an unknown status and %s is over, or not', (_what, fields, state) => {
		expect(task({ status: 'ON_THE_MOON', ...fields }).state).toBe(state);
		// A documented status counts more than a time, which may be an estimate.
		for (const status of ['PENDING', 'PROCESSING']) expect(task({ status, ...fields }).state).toBe('pending');
	});

	/** Words for the end of a task, and those around them, in all spellings. */
	const ends =
		'fail failed failure failures error errors errored exception cancel cancelled canceled timeout expired rejected refused denied aborted terminated killed crashed moderated blocked unsuccessful';
	const spellings: Array<(before: string, word: string) => string> = [
		(_before, word) => word,
		(before, word) => `${before}_${word}`.toUpperCase(),
		(before, word) => `${before}-${word}`,
		(before, word) => `${before} ${word}: no credit`,
		(before, word) => `${word}_${before}`,
		(before, word) => before + word[0].toUpperCase() + word.slice(1),
		(before, word) => word + before[0].toUpperCase() + before.slice(1),
	];

	it('has failed with a word for that in any spelling, at any place', () => {
		const missed = ends
			.split(' ')
			.flatMap((word) => ['task', 'audio'].flatMap((before) => spellings.map((spell) => spell(before, word))))
			.concat(
				'TIMEOUT',
				'TIMED_OUT',
				'timeouted',
				'generateAudioFailed',
				'Request Moderated',
				'SENSITIVE_WORD_ERROR',
			)
			.concat('生成失败 错误 异常 已取消 超时 已过期 被拒绝'.split(' '))
			.filter((status) => task({ status }).state !== 'failed');
		expect(missed).toEqual([]);
	});

	it('is pending with the words of public APIs for that', () => {
		const words =
			'ON_THE_MOON PENDING PROCESSING NOT_START SUBMITTED QUEUED IN_QUEUE in_progress IN-PROGRESS TEXT_SUCCESS FIRST_SUCCESS starting notStarted running Queueing Preparing dreaming THROTTLED streaming staged retrying generating created WAIT terror failover';
		const over = words.split(' ').filter((status) => task({ status }).state !== 'pending');
		expect(over).toEqual([]);
	});

	it('reads when it was submitted and finished, and 0 as no time', () => {
		const at = '2023-11-14T22:13:20.000Z';
		const times = (fields: object) => task({ status: 'SUCCESS', ...fields });
		const both = { submittedAt: at, finishedAt: at };
		expect(times({ submit_time: 1_700_000_000, finishTime: at })).toMatchObject(both);
		expect(times({ submitTime: at, finish_time: at })).toMatchObject(both);
		const none = { submittedAt: undefined, finishedAt: undefined };
		expect(times({ submitTime: 'soon', finish_time: 0 })).toMatchObject(none);
	});
});

describe('readMusicTask: tracks', () => {
	it('are those with audio if there is one', () => {
		const data = [{ title: 'Snow', image_url: 'https://x/a.png' }, { audio_url: 'https://x/b.mp3' }];
		const { tracks, unreadableTracks } = task({ status: 'SUCCESS', data });
		expect(tracks.map(({ raw }) => raw)).toEqual([data[1]]);
		expect(unreadableTracks).toBe(1);
	});

	const read = (track: object) => task({ status: 'SUCCESS', data: [track] }).tracks[0];
	const [audio, stream, image] = ['https://x/a.mp3', 'https://x/s.mp3', 'https://x/a.png'];
	const expected = {
		...{ trackId: 'a', title: 'Snow', audioUrl: audio, streamAudioUrl: stream, imageUrl: image },
		...{ tags: 'folk, calm', model: 'music-v5', durationSeconds: 181.5 },
		createdAt: '2023-11-14T22:13:20.000Z',
	};
	const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	const named: Array<Record<string, unknown>> = [
		{ id: 'a', trackId: 'a' },
		{ title: 'Snow' },
		{ audioUrl: audio },
		{ streamAudioUrl: stream },
		{ imageUrl: image },
		{ tags: 'folk, calm', style: ['folk', 'calm'] },
		{ modelName: 'music-v5', model: 'music-v5' },
		{ createTime: 1_700_000_000_000, createdAt: '2023-11-14T22:13:20Z' },
		{ duration: '181.5' },
	];

	it('have each field in each style, and keep what is none of them', () => {
		const anyTrack = fc.tuple(
			...named.map((names) => fc.tuple(fc.constantFrom(...Object.entries(names)), fc.boolean())),
		);
		fc.assert(
			fc.property(
				anyTrack,
				fc.dictionary(
					fc.string({ minLength: 1 }).map((name) => `x${name}`),
					fc.jsonValue(),
				),
				(fields, others) => {
					const known = fields.map(([[name, value], isSnake]) => [isSnake ? snake(name) : name, value]);
					const raw = { ...(Object.fromEntries(known) as object), ...others };
					const otherFields = Object.keys(others).length > 0 ? others : undefined;
					expect(read(raw)).toEqual({ fields: { ...expected, otherFields }, raw });
				},
			),
		);
	});

	it('are also found where Suno API and APIMart have them', () => {
		const response = { sunoData: [{ id: 'a' }, { id: 'b' }] };
		expect(task({ status: 'SUCCESS', response }).tracks).toHaveLength(2);
		const result = { music: [{ audio_url: 'http://a' }, { audio_url: 'http://b' }] };
		expect(task({ status: 'completed', result })).toMatchObject({
			state: 'success',
			tracks: [{ fields: { audioUrl: 'http://a' } }, {}],
		});
	});
});

const failure = (kind: FailureKind, facts = {}) =>
	new GatewayFailure(kind, `${kind} happened`, 'Wait.', facts);

/** A gateway whose queries all fail in this way. */
const failing = (failure: Error) =>
	({
		wiring: { musicQueryPath: '/v1/music/tasks/{task_id}' },
		json: async () => await Promise.reject(failure),
	}) as unknown as GatewayClient;

describe('Query of a task that fails', () => {
	it.each([
		['a busy gateway', failure('gateway', { status: 503 }), 'gateway'],
		['an unknown task', failure('notFound', { status: 404 }), 'notFound'],
		['one that is named by its code', failure('input', { status: 400, code: 'task_not_exist' }), 'notFound'],
		['anything else', new Error('broken'), 'bug'],
	])('names the task for %s, because its song is paid for', async (_, thrown, kind) => {
		const named = { kind, facts: { taskId: 't1' } };
		await expect(queryTask(failing(thrown), 't1', {})).rejects.toMatchObject(named);
	});
});

/** Waits for tasks on a clock of its own. */
async function waited(
	ids: string[],
	options: Partial<TaskWait>,
	query: (taskId: string, poll: number, signal: AbortSignal) => MusicTask | Promise<MusicTask>,
) {
	const { clock = new FakeClock() } = options as { clock?: FakeClock };
	const startedAt = clock.now();
	const outcomes: Record<string, TaskOutcome & { atMs: number }> = {};
	let polls = 0;
	const wait: TaskWait = {
		clock,
		signal: undefined,
		query: async (taskId, signal) => {
			polls += 1;
			const poll = polls;
			await clock.sleep(20);
			return await query(taskId, poll, signal);
		},
		intervalMs: 8_000,
		maxWaitMs: 15 * 60_000,
		pollsImmediately: false,
		toleratedRefusals: 0,
		onOutcome: async (taskId, outcome) => {
			outcomes[taskId] = { ...outcome, atMs: clock.now() - startedAt };
		},
		...options,
	};
	await clock.run(waitForTasks(ids, wait));
	return { outcomes, polls, startedAt, lastMs: clock.now() - startedAt };
}

const processing = readMusicTask({ data: { status: 'PROCESSING', progress: '50%' } });
const success = readMusicTask({ data: { status: 'SUCCESS' } });
const fail = (kind: FailureKind): never => {
	throw failure(kind);
};

describe('waitForTasks', () => {
	it('reports a finished task while it waits for the others, of which one poll hangs', async () => {
		const { outcomes } = await waited(
			['quick', 'slow', 'hanging'],
			{ maxWaitMs: 120_000 },
			async (id, poll, signal) => {
				if (id !== 'hanging') return id === 'quick' || poll > 12 ? success : processing;
				await new Promise((resolve) => signal.addEventListener('abort', resolve));
				return fail('cancelled');
			},
		);
		const { quick, slow, hanging } = outcomes;
		expect([quick, slow]).toMatchObject([{ kind: 'finished' }, { kind: 'finished' }]);
		expect(quick.atMs).toBeLessThan(9_000);
		expect(slow.atMs).toBeGreaterThan(60_000);
		expect(hanging).toMatchObject({ kind: 'unfinished', because: 'timedOut' });
		expect(hanging.atMs).toBeGreaterThan(slow.atMs);
		expect(hanging.atMs).toBeLessThanOrEqual(131_000);
	});

	it.each<FailureKind>(['rateLimit', 'gateway', 'interrupted', 'unreachable', 'answer', 'address'])(
		'continues after polls that fail with "%s"',
		async (kind) => {
			const query = (_id: string, poll: number) => (poll <= 4 ? fail(kind) : success);
			const { outcomes } = await waited(['t0', 't1'], {}, query);
			expect(outcomes).toMatchObject({ t0: { kind: 'finished' }, t1: { kind: 'finished' } });
		},
	);

	const none = undefined;
	const limited = (retryAfterMs?: number): never => {
		throw failure('rateLimit').judged({ waitMs: retryAfterMs });
	};

	type Poll = number | undefined | 'processing' | 'gateway';
	it.each<[string, number, Poll[], number[]]>([
		['twice as late with each further one', 8, [undefined, undefined, undefined], [8, 8, 16, 32]],
		['a minute later at most', 40, [undefined, undefined, undefined], [40, 40, 60, 60]],
		['not before the gateway allows it', 2, [30_000, 5_000, undefined], [2, 30, 5, 8]],
		['not before the interval has passed', 8, [1_000], [8, 8]],
		[
			'as soon as after the first one if something else came in between',
			8,
			[none, none, 'processing', none, none, 'gateway', none],
			[8, 8, 16, 8, 8, 16, 8, 8],
		],
	])('polls after a refusal %s', async (_when, seconds, refusals, expected) => {
		const times: number[] = [];
		const query = (_id: string, poll: number) => {
			if (poll > refusals.length) return success;
			const refusal = refusals[poll - 1];
			if (refusal === 'processing') return processing;
			return refusal === 'gateway' ? fail(refusal) : limited(refusal);
		};
		const clock = new FakeClock();
		const settled = await waited(['t0'], { intervalMs: seconds * 1000, clock }, (id, poll) => {
			times.push(clock.now());
			return query(id, poll);
		});
		expect(settled.outcomes.t0).toMatchObject({ kind: 'finished' });
		const gaps = times.map((time, index) => time - (times[index - 1] ?? settled.startedAt));
		expect(gaps).toHaveLength(expected.length);
		for (const [index, gap] of gaps.entries()) {
			expect(gap).toBeGreaterThanOrEqual(expected[index] * 1000);
			expect(gap).toBeLessThan(expected[index] * 1060 + 50);
		}
	});

	it.each<[string, FailureKind, toleratedRefusals: number, polls: number]>([
		['immediately when the gateway rejects the key', 'authentication', 2, 1],
		['immediately when the key may not ask', 'permission', 2, 1],
		['immediately when a setting cannot be used', 'settings', 2, 1],
		['immediately when the task ID cannot be used', 'input', 2, 1],
		['immediately at a fault of the node', 'bug', 2, 1],
		['immediately when an old task is refused', 'request', 0, 1],
		['immediately at "no such task" for an old task', 'notFound', 0, 1],
		['the third time at "no such task" for a new one', 'notFound', 2, 3],
	])('ends %s', async (_when, kind, toleratedRefusals, expected) => {
		const { outcomes, polls } = await waited(['t0'], { toleratedRefusals }, () => fail(kind));
		expect(outcomes.t0).toMatchObject({ kind: 'unknown' });
		expect(polls).toBe(expected);
	});

	it('is not over with an earlier failure if a poll has shown its state', async () => {
		const query = (_id: string, poll: number) => (poll === 2 ? fail('interrupted') : processing);
		const { outcomes } = await waited(['t0'], { maxWaitMs: 60_000 }, query);
		expect(outcomes.t0).toMatchObject({
			kind: 'unfinished',
			because: 'timedOut',
			lastSeen: { progress: '50%' },
		});
	});

	it('is over with the failure of its polls if none has shown its state', async () => {
		const { outcomes } = await waited(['t0'], { maxWaitMs: 60_000 }, () => fail('interrupted'));
		expect(outcomes.t0).toMatchObject({ kind: 'unknown', failure: { kind: 'interrupted' } });
	});

	it.each(['an answer', 'another failure'])('counts "no such task" anew after %s', async (what) => {
		const query = (_id: string, poll: number) => {
			if (poll === 3) return what === 'an answer' ? processing : fail('gateway');
			return poll <= 4 ? fail('notFound') : success;
		};
		const { outcomes } = await waited(['t0'], { toleratedRefusals: 2 }, query);
		expect(outcomes.t0).toMatchObject({ kind: 'finished' });
	});

	it.each([
		['once more after Max Wait', { maxWaitMs: 20_000 }, 3, 20_100],
		['once when Max Wait is 0', { maxWaitMs: 0, pollsImmediately: true }, 1, 100],
	])('polls %s and keeps the last known state', async (_when, options, expected, mostMs) => {
		const { outcomes, polls, lastMs } = await waited(['t0'], options, () => processing);
		const lastSeen = { status: 'PROCESSING', progress: '50%' };
		expect(outcomes.t0).toMatchObject({ kind: 'unfinished', because: 'timedOut', lastSeen });
		expect(polls).toBe(expected);
		expect(lastMs).toBeLessThan(mostMs);
	});
});

describe('allSettledOrThrow', () => {
	it('throws the first failure when everything has ended', async () => {
		let ended = false;
		const late = new Promise((resolve) => setImmediate(resolve)).then(() => (ended = true));
		await expect(allSettledOrThrow([Promise.reject(new Error('broken')), late])).rejects.toThrow('broken');
		expect(ended).toBe(true);
	});
});
