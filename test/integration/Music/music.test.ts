import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../../emulator';
import { operations } from '../../../nodes/Music/operations';
import { Music } from '../../../nodes/Music/Music.node.ts';
import { soundFrames } from '../../../nodes/Speech/audio/mp3Frames';
import { runOperations } from '../../../nodes/shared/runtime/runOperations';
import { fileBytes, oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import { MusicClock } from './musicClock';

const SUBMIT = 'POST /v1/music/generations';
const QUERY = 'GET /v1/music/tasks/*';

let emulator: Emulator;
let clock: MusicClock;
let testNumber = 0;

class DrivenMusic extends Music {
	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, operations, clock);
	}
}

beforeEach(async () => {
	testNumber += 1;
	clock = new MusicClock();
	emulator = await startEmulator({ now: clock.now });
});
afterEach(async () => await emulator.close());

/** Each test's own rate, because what is learnt of a rate is kept per credential. */
const credential = () => ({
	baseUrl: emulator.url,
	apiKey: emulator.apiKey,
	requestsPerMinute: 2e7 + testNumber,
});
const defaults = {
	output: 'track',
	downloadTracks: false,
	files: ['audio', 'cover'],
	binaryPropertyName: 'data',
	coverPropertyName: 'cover',
	simplify: true,
	options: {},
};
const generate = (parameters: object = {}, settings = {}) =>
	oneNode(
		'music',
		{
			operation: 'generate',
			model: { __rl: true, mode: 'id', value: 'music-v5' },
			customMode: false,
			prompt: '={{ $json.prompt }}',
			instrumental: false,
			vocalGender: 'any',
			waitForCompletion: true,
			...defaults,
			...parameters,
		},
		settings,
	);
const ask = (operation: 'get' | 'wait', parameters: object = {}, settings = {}) =>
	oneNode('music', { operation, taskId: '={{ $json.taskId }}', ...defaults, ...parameters }, settings);
const songs = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { prompt: `Song number ${index}` } }));
const run = async (workflow: ReturnType<typeof generate>, input: INodeExecutionData[]): Promise<RunResult> =>
	await clock.run(
		runWorkflow(workflow, { credential: credential(), input, nodeTypes: { music: new DrivenMusic() } }),
	);
const bodies = () => emulator.journal.entries(SUBMIT).map(({ body }) => body);
const continuing = { onError: 'continueErrorOutput' };

test('50 songs of 60 s are done one poll interval after the slowest, with no poll too many, five at once', async () => {
	emulator.behaviour.set('*', { latencyMs: 20, music: { pendingMs: 10_000, processingMs: 50_000 } });
	const { items, error } = await run(generate({ output: 'task' }), songs(50));
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(songs(50).map((_, item) => ({ item })));
	expect(items.every(({ json }) => json.status === 'SUCCESS' && (json.tracks as object[]).length === 2)).toBe(
		true,
	);

	const slowest = Math.max(...emulator.tasks.all().map(({ finishesAt }) => finishesAt));
	const entries = emulator.journal.entries();
	expect(Math.max(...entries.map(({ finishedAt }) => finishedAt ?? 0)) - slowest).toBeLessThanOrEqual(8_000);
	const leastPolls = 50 * Math.ceil(60 / 8);
	expect(emulator.journal.count(QUERY)).toBeLessThanOrEqual(leastPolls * 1.1);
	const mostAtOnce = Math.max(...entries.map(({ concurrent }) => concurrent));
	expect(mostAtOnce).toBeLessThanOrEqual(5);
	expect(mostAtOnce).toBeGreaterThan(1);
	const submits = emulator.journal.count(SUBMIT);
	expect(entries.slice(0, submits).every(({ method }) => method === 'POST')).toBe(true);
});

test('tracks leave as items with their audio and cover, in the order of the input', async () => {
	const { items, error } = await run(generate({ downloadTracks: true }), songs(2));
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 0 },
		{ item: 1 },
		{ item: 1 },
	]);
	expect(items[0].json).toEqual({
		title: 'Song number 0',
		audioUrl: expect.stringMatching(/\.mp3$/),
		imageUrl: expect.stringMatching(/\.png$/),
		durationSeconds: expect.any(Number),
		tags: 'pop, vocals',
		model: 'music-v5',
		trackId: expect.stringMatching(/-1$/),
		track: 1,
		taskId: emulator.tasks.all()[0].id,
		status: 'SUCCESS',
	});
	const { data, cover } = items[1].binary!;
	expect(data).toMatchObject({ mimeType: 'audio/mpeg', fileName: 'Song number 0 (Version 2) 2.mp3' });
	expect(cover).toMatchObject({ mimeType: 'image/png', fileExtension: 'png' });
	expect(soundFrames(await fileBytes(data)).length).toBeGreaterThan(100);
	const files = emulator.journal.entries(({ path }) => path.includes('/files/'));
	expect(files).toHaveLength(8);
	expect(new Set(files.flatMap(({ key, headers }) => [key, headers.authorization]))).toEqual(
		new Set(['missing']),
	);
});

test('one item per task numbers the fields of its files; the raw task is there without Simplify', async () => {
	const { items } = await run(
		generate({ output: 'task', downloadTracks: true, files: ['audio'], simplify: false }),
		songs(1),
	);
	expect(Object.keys(items[0].binary!)).toEqual(['data1', 'data2']);
	expect(items[0].json).toMatchObject({ task_id: items[0].json.taskId, progress: '100%', status: 'SUCCESS' });
});

test('custom mode sends lyrics, style and title; the gender only when there is a voice', async () => {
	const custom = { customMode: true, lyrics: 'La la', style: 'folk', title: 'La', vocalGender: 'f' };
	await run(generate({ ...custom, waitForCompletion: false }), songs(1));
	await run(generate({ ...custom, instrumental: true, waitForCompletion: false }), songs(1));
	await run(
		generate({ vocalGender: 'm', waitForCompletion: false, options: { submitPath: 'generate' } }),
		songs(1),
	);
	const sung = { model: 'music-v5', prompt: 'La la', custom_mode: true, style: 'folk', title: 'La' };
	expect(bodies()).toEqual([
		{ ...sung, instrumental: false, vocal_gender: 'f' },
		{ ...sung, instrumental: true },
	]);
	expect(emulator.journal.entries('POST /v1/music/generate')[0].body).toEqual({
		model: 'music-v5',
		prompt: 'Song number 0',
		custom_mode: false,
		instrumental: false,
		vocal_gender: 'm',
	});
});

test('without waiting the ids leave at once', async () => {
	const { items } = await run(generate({ waitForCompletion: false }), songs(3));
	expect(items.map(({ json }) => json)).toEqual(
		emulator.tasks.all().map(({ id }) => ({ taskId: id, status: 'PENDING' })),
	);
	expect(emulator.journal.count()).toBe(3);
});

test('ten songs, the fourth answered by 500: nine go on, and the fourth says why it was not sent again', async () => {
	emulator.behaviour.set(SUBMIT, { faults: [{ kind: 'status', status: 500, when: 'Song number 3' }] });
	const { outputs } = await run(generate({ output: 'task' }, continuing), songs(10));
	expect(outputs[0].map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual([
		0, 1, 2, 4, 5, 6, 7, 8, 9,
	]);
	expect(outputs[1]).toHaveLength(1);
	expect(outputs[1][0]).toMatchObject({
		pairedItem: { item: 3 },
		json: { details: { status: 500, attempts: 1, mayHaveBeenCarriedOut: true } },
	});
	expect(JSON.stringify(outputs[1][0].json)).toContain(
		'may have been carried out all the same, so it was not sent again',
	);
	expect(emulator.journal.count(SUBMIT)).toBe(10);
});

test.each([
	['502', { kind: 'html', status: 502 }],
	['504', { kind: 'status', status: 504 }],
	['a reset', { kind: 'resetBeforeHeaders' }],
] as const)('a submit is never repeated after %s', async (_name, fault) => {
	emulator.behaviour.set(SUBMIT, { faults: [{ ...fault }] });
	const { error } = await run(generate(), songs(1));
	expect(String(error?.description)).toContain('not sent again');
	expect(emulator.journal.count(SUBMIT)).toBe(1);
});

test.each([
	['429', { kind: 'empty', status: 429 }],
	['503', { kind: 'html', status: 503 }],
] as const)('a submit that was refused with %s is sent again', async (_name, fault) => {
	emulator.behaviour.set(SUBMIT, { faults: [{ ...fault }] });
	const { error, items } = await run(generate({ waitForCompletion: false }), songs(1));
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
	expect(emulator.tasks.all()).toHaveLength(1);
});

test('a run that stops at a failing submit waits for what is paid for and keeps it', async () => {
	emulator.behaviour.set(SUBMIT, { faults: [{ kind: 'status', status: 400, when: 'Song number 1' }] });
	const { error } = await run(generate({ output: 'task', options: { maxConcurrency: 3 } }), songs(20));
	expect(error?.message).toContain('[item 1]');
	const finished = error?.context.finishedResults as unknown as Array<{
		json: { taskId: string; status: string };
	}>;
	expect(finished.map(({ json }) => json.taskId)).toEqual(emulator.tasks.all().map(({ id }) => id));
	expect(finished.every(({ json }) => json.status === 'SUCCESS')).toBe(true);
	expect(finished.length).toBeLessThan(6);
});

test('the id in an answer that is cut off is used; an answer without one is kept', async () => {
	emulator.behaviour.set(SUBMIT, { faults: [{ kind: 'truncatedJson', bytes: 85 }] });
	const { items, error } = await run(generate({ waitForCompletion: false }), songs(1));
	expect(error).toBeUndefined();
	expect(items[0].json.taskId).toBe(emulator.tasks.all()[0].id);

	emulator.behaviour.set(SUBMIT, {
		faults: [{ kind: 'status', status: 200, body: { code: 'success', data: { ticket: 'abc' } } }],
	});
	const kept = await run(generate({}, { onError: 'continueRegularOutput' }), songs(1));
	expect(kept.items[0].json).toMatchObject({
		error: expect.stringContaining('no task id'),
		details: { mayHaveBeenCarriedOut: true, partial: { answer: expect.stringContaining('"abc"') } },
	});

	emulator.behaviour.set(SUBMIT, {
		faults: [
			{ kind: 'status', status: 200, body: { code: 'quota_used_up', message: 'No credit.', data: null } },
		],
	});
	const refused = await run(generate(), songs(1));
	expect(refused.error?.message).toBe('The gateway refused the request: No credit. [item 0]');
});

test('a failed task is a failure of its item, with reason and id', async () => {
	const input = [{ json: { prompt: 'Good' } }, { json: { prompt: 'Bad [fail]' } }];
	const { outputs } = await run(generate({ output: 'task' }, continuing), input);
	expect(outputs[0]).toHaveLength(1);
	expect(outputs[1][0]).toMatchObject({
		pairedItem: { item: 1 },
		json: {
			error: 'The gateway could not finish the task: The prompt was refused by the content check.',
			details: { kind: 'task', taskId: emulator.tasks.all()[1].id },
		},
	});
});

test('time that runs out is data', async () => {
	emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 100_000 } });
	const { items, error } = await run(generate({ options: { maxWaitMinutes: 0.5 } }), songs(1));
	expect(error).toBeUndefined();
	expect(items[0].json).toEqual({
		taskId: emulator.tasks.all()[0].id,
		status: 'PROCESSING',
		progress: '30%',
		timedOut: true,
	});
});

test('polls that fail in every way do no harm', async () => {
	emulator.behaviour.set(QUERY, {
		faults: [
			{ kind: 'html', status: 502 },
			{ kind: 'empty', status: 429 },
			{ kind: 'html', status: 200 },
			{ kind: 'truncatedJson', bytes: 20 },
			{ kind: 'resetBeforeHeaders' },
			{ kind: 'status', status: 400 },
		],
	});
	const { items, error } = await run(generate({ output: 'task' }), songs(1));
	expect(error).toBeUndefined();
	expect(items[0].json.status).toBe('SUCCESS');
	expect(emulator.journal.count(SUBMIT)).toBe(1);
});

test.each([
	['id', {}, { submitAnswer: 'id' }],
	['statusNames', {}, { statusNames: 'extended', earlyTrack: true }],
	['trackFields', {}, { trackFields: 'snakeCase', createTime: 'text', marker: 'result' }],
	['the alternative paths', { submitPath: 'generate', queryPath: 'query' }, {}],
	['another parameter name', { queryPath: 'query', queryParameter: 'taskId' }, { marker: 'status' }],
] as const)('works with %s', async (_name, options, music) => {
	emulator.behaviour.set('*', { music: { ...music } });
	const { items, error } = await run(generate({ downloadTracks: true, options: { ...options } }), songs(1));
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
	expect(items.every(({ binary }) => binary?.data.mimeType === 'audio/mpeg' && binary.cover)).toBe(true);
});

describe('Get and Wait', () => {
	const submitted = async (count: number) =>
		(await run(generate({ waitForCompletion: false }), songs(count))).items;

	test('Get shows a task that goes on, and gives its songs when it is over', async () => {
		const ids = (await submitted(2)).map(({ json }) => ({ json }));
		const before = await run(ask('get'), ids);
		expect(before.items.map(({ json }) => json.status)).toEqual(['PENDING', 'PENDING']);
		emulator.tasks.advance(60_000);
		const { items } = await run(ask('get'), ids);
		expect(items.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual([0, 0, 1, 1]);
	});

	test('Wait polls a task once that several items name, and gives it to each of them', async () => {
		const [first, second] = (await submitted(2)).map(({ json }) => ({ json }));
		emulator.journal.clear();
		const { items } = await run(ask('wait', { downloadTracks: true }), [first, second, first]);
		expect(items.map(({ json }) => json.taskId)).toEqual(
			[first, first, second, second, first, first].map(({ json }) => json.taskId),
		);
		expect(emulator.journal.count(QUERY)).toBe(6);
		expect(emulator.journal.count(({ path }) => path.includes('/files/'))).toBe(8);
	});

	test('an unknown id fails at once and alone', async () => {
		const [known] = await submitted(1);
		const { outputs } = await run(ask('wait', { output: 'task' }, continuing), [
			{ json: { taskId: 'nowhere' } },
			{ json: known.json },
			{ json: { taskId: ' ' } },
		]);
		expect(outputs[0]).toHaveLength(1);
		expect(outputs[1].map(({ json }) => json.error)).toEqual([
			'The gateway knows no task "nowhere"',
			'Task ID is empty',
		]);
		expect(outputs[1][0].json.details).toMatchObject({ taskId: 'nowhere', kind: 'notFound' });
		const single = await run(ask('get'), [{ json: { taskId: '../../v1/models?x' } }]);
		expect(single.error?.message).toContain('knows no task "../../v1/models?x"');
	});
});

test('a file that cannot be fetched costs neither its link nor the other track', async () => {
	emulator.behaviour.set('GET /__emulator/files/*', {
		faults: [{ kind: 'html', status: 200, when: '-1.mp3', times: 'always' }],
	});
	const { outputs } = await run(generate({ downloadTracks: true }, continuing), songs(1));
	expect(outputs[0]).toHaveLength(1);
	expect(outputs[1][0].json).toMatchObject({
		error: expect.stringContaining('text/html instead of a file'),
		details: {
			kind: 'download',
			taskId: emulator.tasks.all()[0].id,
			partial: { url: expect.stringContaining('-1.mp3'), audioUrl: expect.stringContaining('-1.mp3') },
		},
	});
});

test('what cannot work is refused before anything is paid for', async () => {
	for (const parameters of [
		{ prompt: ' ' },
		{ options: { pollIntervalSeconds: 1 } },
		{ downloadTracks: true, coverPropertyName: 'data' },
		{ customMode: true, lyrics: 'La', style: ' ', title: 'La' },
	]) {
		const { error } = await run(generate(parameters), songs(1));
		expect(error?.message).toMatch(/\[item 0\]$/);
	}
	expect(emulator.journal.count()).toBe(0);
});
