import { musicTaskSchema, submittedTaskSchema } from '../../../nodes/Music/tasks/musicTask';

const task = (fields: object, outer: object = { code: 'success', message: '' }) =>
	musicTaskSchema.parse({ ...outer, data: { task_id: 't1', progress: '40%', ...fields } });

describe('the answer to a submit', () => {
	test.each([
		['an object', { code: 'success', data: { task_id: 't1', status: 'PENDING' } }, 'PENDING'],
		[
			'an object with another status',
			{ code: 'success', data: { task_id: 't1', status: 'QUEUED' } },
			'QUEUED',
		],
		['the bare id', { code: 'success', message: '', data: 't1' }, 'PENDING'],
		['camel case', { status: 'success', data: { taskId: 't1' } }, 'PENDING'],
		['another marker', { result: 'success', data: { id: 't1' } }, 'PENDING'],
		['no envelope', { task_id: 't1', status: 'success' }, 'PENDING'],
	])('is read as %s', (_name, body, status) => {
		expect(submittedTaskSchema.parse(body)).toEqual({ taskId: 't1', status });
	});

	test('a number as id becomes text', () => {
		expect(submittedTaskSchema.parse({ data: { task_id: 17 } }).taskId).toBe('17');
	});

	test.each([
		null,
		'text',
		[],
		{},
		{ data: null },
		{ data: {} },
		{ data: { task_id: ' ' } },
		{ id: 'req-1' },
	])('%j holds no task', (body) => {
		expect(submittedTaskSchema.safeParse(body).success).toBe(false);
	});
});

describe('the state of a task', () => {
	test.each([
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
	])('%s is %s', (status, state) => {
		expect(task({ status })).toMatchObject({ state, status, taskId: 't1', progress: '40%' });
	});

	test('the name of the success marker does not matter, and its text is no status', () => {
		for (const outer of [{ success: true }, { status: 'success' }, { result: 'success' }, {}]) {
			expect(task({ status: 'PROCESSING' }, outer).state).toBe('pending');
		}
		expect(musicTaskSchema.safeParse({ status: 'success', data: null }).success).toBe(false);
		expect(musicTaskSchema.parse({ task_id: 't1', status: 'FAILED', fail_reason: 'x' }).failReason).toBe('x');
	});

	test('a track that is there early does not count', () => {
		expect(task({ status: 'PROCESSING', data: [{ audioUrl: 'https://x/1.mp3' }] }).tracks).toEqual([]);
	});

	test('times come in seconds, milliseconds and as a date; 0 is not yet', () => {
		const seconds = task({ status: 'SUCCESS', submit_time: 1_700_000_000, finish_time: 0 });
		expect(seconds).toMatchObject({ submittedAt: '2023-11-14T22:13:20.000Z', finishedAt: '' });
		const others = task({
			status: 'SUCCESS',
			submitTime: 1_700_000_000_000,
			finish_time: '2023-11-14T22:13:21Z',
		});
		expect(others.submittedAt).toBe('2023-11-14T22:13:20.000Z');
		expect(others.finishedAt).toBe('2023-11-14T22:13:21.000Z');
		expect(task({ status: 'SUCCESS', submit_time: 'soon', finish_time: 1e300 })).toMatchObject({
			submittedAt: '',
			finishedAt: '',
		});
	});

	test.each([
		['40%', '40%'],
		[40, '40%'],
		[null, ''],
		[{ of: 100 }, ''],
	])('progress %j is shown as "%s"', (progress, shown) => {
		expect(task({ status: 'PENDING', progress }).progress).toBe(shown);
	});
});

describe('the tracks of a finished task', () => {
	const read = (track: object) => task({ status: 'SUCCESS', data: [track] }).tracks[0];
	const expected = {
		id: 'a',
		title: 'Snow',
		audioUrl: 'https://x/a.mp3',
		streamAudioUrl: 'https://x/s.mp3',
		imageUrl: 'https://x/a.png',
		tags: 'folk, calm',
		prompt: 'Snow falls',
		model: 'music-v5',
		createdAt: '2023-11-14T22:13:20.000Z',
		durationSeconds: 181.5,
	};

	test('in camel case', () => {
		const track = {
			id: 'a',
			title: 'Snow',
			audioUrl: 'https://x/a.mp3',
			streamAudioUrl: 'https://x/s.mp3',
			imageUrl: 'https://x/a.png',
			tags: 'folk, calm',
			prompt: 'Snow falls',
			modelName: 'music-v5',
			createTime: 1_700_000_000_000,
			duration: 181.5,
		};
		expect(read(track)).toEqual({ ...expected, raw: track });
	});

	test('in snake case, with a date and a list of tags', () => {
		const track = {
			id: 'a',
			title: 'Snow',
			audio_url: 'https://x/a.mp3',
			stream_audio_url: 'https://x/s.mp3',
			image_url: 'https://x/a.png',
			tags: ['folk', 'calm'],
			prompt: 'Snow falls',
			model_name: 'music-v5',
			create_time: '2023-11-14T22:13:20Z',
			duration: '181.5',
		};
		expect(read(track)).toEqual({ ...expected, raw: track });
	});

	test('with fields that are null, and beside entries that are no tracks', () => {
		expect(
			read({ id: null, title: null, audioUrl: '', duration: null, tags: null, createTime: null }),
		).toMatchObject({ id: '', title: '', audioUrl: '', durationSeconds: undefined, tags: '', createdAt: '' });
		expect(task({ status: 'SUCCESS', data: [null, 'x', { id: 'a' }] }).tracks).toHaveLength(1);
		expect(task({ status: 'SUCCESS', data: { clips: [{ id: 'a' }, { id: 'b' }] } }).tracks).toHaveLength(2);
		expect(task({ status: 'SUCCESS', data: null }).tracks).toEqual([]);
	});
});
