import { readMusicTask, readSubmitted } from '../../../nodes/Music/tasks/musicTask';

const task = (fields: object, outer: object = { code: 'success', message: '' }) =>
	readMusicTask({ ...outer, data: { task_id: 't1', progress: '40%', ...fields } });

describe('readSubmitted', () => {
	it.each([
		['an object', { code: 'success', data: { task_id: 't1', status: 'PENDING' } }, 'PENDING'],
		[
			'an object with a different status',
			{ code: 'success', data: { task_id: 't1', status: 'QUEUED' } },
			'QUEUED',
		],
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
		['PENDING', 'pending'],
		['PROCESSING', 'pending'],
		['SUCCESS', 'success'],
		['success', 'success'],
		['FAILED', 'failed'],
		['FAILURE', 'failed'],
		['NOT_START', 'pending'],
		['SUBMITTED', 'pending'],
		['QUEUED', 'pending'],
		['IN_PROGRESS', 'pending'],
		['ON_THE_MOON', 'pending'],
		...['COMPLETED', 'complete', 'Succeeded'].map((word) => [word, 'success']),
		...['ERROR', 'Canceled', 'CANCELLED', 'TIMEOUT', 'GENERATE_AUDIO_FAILED'].map((word) => [word, 'failed']),
	])('reads the status %s as %s', (status, state) => {
		expect(task({ status })).toMatchObject({ state, status, progress: '40%' });
	});

	it('accepts any name of the success marker and does not use its value as the status', () => {
		for (const outer of [
			{ success: true },
			{ status: 'success' },
			{ result: 'success' },
			{ msg: 'ok' },
			{},
		]) {
			expect(task({ status: 'PROCESSING' }, outer).state).toBe('pending');
		}
		expect(() => readMusicTask({ status: 'success', data: null })).toThrow('"data.status" is missing');
	});

	it.each([
		{ success: false },
		{ success: 'false' },
		{ code: 'fail' },
		{ code: 'error', message: 'no such task' },
		{ code: 500 },
	])('is refused when the success marker says no: %j', (outer) => {
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

	it('gives the status as the reason when there is no other', () => {
		expect(task({ status: 'TIMEOUT' }).failReason).toBe('TIMEOUT');
		expect(task({ status: 'TIMEOUT', fail_reason: 'Too slow' }).failReason).toBe('Too slow');
	});

	it('reads times in seconds, in milliseconds, and as a date, and 0 as no time', () => {
		const seconds = task({ status: 'SUCCESS', submit_time: 1_700_000_000, finish_time: 0 });
		expect(seconds).toMatchObject({ submittedAt: '2023-11-14T22:13:20.000Z', finishedAt: undefined });
		const others = task({
			status: 'SUCCESS',
			submitTime: 1_700_000_000_000,
			finish_time: '2023-11-14T22:13:21Z',
		});
		expect(others.submittedAt).toBe('2023-11-14T22:13:20.000Z');
		expect(others.finishedAt).toBe('2023-11-14T22:13:21.000Z');
		expect(task({ status: 'SUCCESS', submit_time: 'soon', finish_time: 1e300 })).toMatchObject({
			submittedAt: undefined,
			finishedAt: undefined,
		});
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
	const expected = {
		id: 'a',
		title: 'Snow',
		audioUrl: 'https://x/a.mp3',
		streamAudioUrl: 'https://x/s.mp3',
		imageUrl: 'https://x/a.png',
		tags: 'folk, calm',
		model: 'music-v5',
		createdAt: '2023-11-14T22:13:20.000Z',
		durationSeconds: 181.5,
	};

	const common = { id: 'a', title: 'Snow', prompt: 'Snow falls' };
	it.each([
		{
			...common,
			audioUrl: 'https://x/a.mp3',
			streamAudioUrl: 'https://x/s.mp3',
			imageUrl: 'https://x/a.png',
			tags: 'folk, calm',
			modelName: 'music-v5',
			createTime: 1_700_000_000_000,
			duration: 181.5,
		},
		{
			...common,
			audio_url: 'https://x/a.mp3',
			stream_audio_url: 'https://x/s.mp3',
			image_url: 'https://x/a.png',
			tags: ['folk', 'calm'],
			model_name: 'music-v5',
			create_time: '2023-11-14T22:13:20Z',
			duration: '181.5',
		},
	])('have names in camel case or snake case: %j', (track) => {
		expect(read(track)).toEqual({ ...expected, raw: track });
	});

	it('reads fields that are null and skips entries that are not tracks', () => {
		expect(
			read({ id: null, title: null, audioUrl: '', duration: null, tags: null, createTime: null }),
		).toMatchObject({
			id: undefined,
			title: undefined,
			audioUrl: undefined,
			durationSeconds: undefined,
			tags: undefined,
			createdAt: undefined,
		});
		expect(task({ status: 'SUCCESS', data: [null, 'x', { id: 'a' }] })).toMatchObject({
			tracks: [{ id: 'a' }],
			unreadableTracks: 2,
		});
		expect(task({ status: 'SUCCESS', data: null }).tracks).toEqual([]);
	});

	it('are also found where Suno API has them', () => {
		const response = { sunoData: [{ id: 'a' }, { id: 'b' }] };
		expect(task({ status: 'SUCCESS', response }).tracks).toHaveLength(2);
	});
});
