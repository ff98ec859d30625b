import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { Music, operations } from '../../../nodes/Music/Music.node.ts';
import { runOperations } from '../../../nodes/shared/run/runOperations';
import { secondsOf } from '../../audioTools';
import { retryRun } from '../engine/retry';
import { fileBytes, oneNode, runWorkflow, type RunResult } from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { MusicClock } from './musicClock';

const SUBMIT = 'POST /v1/music/generations';
const QUERY = 'GET /v1/music/tasks/*';

let emulator: Emulator;
let clock: MusicClock;
let testNumber = 0;

class DrivenMusic extends Music {
	override async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await runOperations(this, operations, this.continueOnFail(), clock);
	}
}

beforeEach(async () => {
	testNumber += 1;
	clock = new MusicClock();
	emulator = await startStrictEmulator({ now: clock.date });
});
afterEach(async () => await emulator.close());

/** Each test has its own rate, because the learned rate is kept per credential. */
const credential = () => ({
	baseUrl: emulator.url,
	apiKey: emulator.apiKey,
	requestsPerMinute: 2e7 + testNumber,
});
const generate = (parameters: object = {}, settings = {}) =>
	oneNode(
		'music',
		{
			operation: 'generate',
			model: { __rl: true, mode: 'id', value: 'music-v5' },
			prompt: '={{ $json.prompt }}',
			files: [],
			...parameters,
		},
		settings,
	);
const query = (operation: 'get' | 'wait', parameters: object = {}, settings = {}) =>
	oneNode('music', { operation, taskId: '={{ $json.taskId }}', files: [], ...parameters }, settings);
const songs = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { prompt: `Song number ${index}` } }));
const run = async (
	workflow: ReturnType<typeof generate>,
	input: INodeExecutionData[],
	wiring: object = {},
): Promise<RunResult> =>
	await clock.run(
		runWorkflow(workflow, {
			credential: { ...credential(), ...wiring },
			input,
			nodeTypes: { music: new DrivenMusic() },
		}),
	);
const bodies = () => emulator.journal.entries(SUBMIT).map(({ body }) => body);
const continuing = { onError: 'continueErrorOutput' };

describe('Music: Generate', () => {
	it('finishes 10 songs of 60 s one poll interval after the slowest, with the minimum of polls, five at once', async () => {
		emulator.behaviour.set('*', { latencyMs: 20, music: { pendingMs: 10_000, processingMs: 50_000 } });
		const options = { parallelRequests: 5 };
		const { items, error } = await run(generate({ output: 'task', options }), songs(10));
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(songs(10).map((_, item) => ({ item })));
		expect(
			items.every(({ json }) => json.status === 'SUCCESS' && (json.tracks as object[]).length === 2),
		).toBe(true);

		const slowest = Math.max(...emulator.tasks.all().map(({ finishesAt }) => finishesAt));
		const entries = emulator.journal.entries();
		expect(Math.max(...entries.map(({ finishedAt }) => finishedAt ?? 0)) - slowest).toBeLessThanOrEqual(
			8_000,
		);
		const minPolls = 10 * Math.ceil(60 / 8);
		expect(emulator.journal.count(QUERY)).toBeLessThanOrEqual(minPolls * 1.1);
		const maxAtOnce = Math.max(...entries.map(({ concurrent }) => concurrent));
		expect(maxAtOnce).toBeLessThanOrEqual(5);
		expect(maxAtOnce).toBeGreaterThan(1);
		const submits = emulator.journal.count(SUBMIT);
		expect(entries.slice(0, submits).every(({ method }) => method === 'POST')).toBe(true);
	});

	it('returns tracks as items with their audio and cover, in the order of the input', async () => {
		const { items, error } = await run(generate({ files: ['audio', 'cover'] }), songs(2));
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
			submittedAt: expect.stringMatching(/^2027-/),
			finishedAt: expect.stringMatching(/^2027-/),
			createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
			streamAudioUrl: expect.stringMatching(/\.mp3$/),
		});
		const { data, cover } = items[1].binary!;
		expect(data).toMatchObject({ mimeType: 'audio/mpeg', fileName: 'Song number 0 (Version 2) 2.mp3' });
		expect(cover).toMatchObject({ mimeType: 'image/png', fileExtension: 'png' });
		expect(secondsOf(await fileBytes(data))).toBeGreaterThan(10);
		const files = emulator.journal.entries(({ path }) => path.includes('/files/'));
		expect(files).toHaveLength(8);
		expect(new Set(files.flatMap(({ key, headers }) => [key, headers.authorization]))).toEqual(
			new Set(['missing']),
		);
	});

	it('numbers the file fields of an item per task and returns the raw task without Simplify', async () => {
		const { items } = await run(generate({ output: 'task', files: ['audio'], simplify: false }), songs(1));
		expect(Object.keys(items[0].binary!)).toEqual(['data1', 'data2']);
		expect(items[0].json).toMatchObject({
			code: 'success',
			data: {
				task_id: items[0].json.taskId,
				progress: '100%',
				status: 'SUCCESS',
				data: [{ title: 'Song number 0' }, { title: 'Song number 0 (Version 2)' }],
			},
		});
	});

	it('downloads nothing when an expression returns no files', async () => {
		const { items } = await run(generate({ files: '={{ null }}' }), songs(1));
		expect(items.map(({ binary }) => binary)).toEqual([undefined, undefined]);
		expect(emulator.journal.count(({ path }) => path.includes('/files/'))).toBe(0);
	});

	it('sends lyrics, style, and title in custom mode, and the vocal gender only with vocals', async () => {
		const custom = { ownLyrics: true, lyrics: 'La la', style: 'folk', title: 'La', vocalGender: 'f' };
		await run(generate({ ...custom, waitForCompletion: false }), songs(1));
		await run(generate({ ...custom, instrumental: true, waitForCompletion: false }), songs(1));
		await run(generate({ vocalGender: 'm', waitForCompletion: false, model: '' }), songs(1), {
			musicSubmitPath: '/v1/music/generate',
		});
		const options = { extraBodyFields: '{"tags": "jazz"}' };
		const wiring = { musicStyleField: 'tags', musicTitleField: ' song_title ' };
		emulator.behaviour.set('POST /v1/music/generations', { checkUndocumented: false });
		await run(generate({ ...custom, waitForCompletion: false, options }), songs(1), wiring);
		const named = bodies().pop();
		expect(named).toMatchObject({ tags: 'jazz', song_title: 'La' });
		expect(named).not.toHaveProperty('style');
		const sung = { model: 'music-v5', prompt: 'La la', custom_mode: true, style: 'folk', title: 'La' };
		expect(bodies().slice(0, -1)).toEqual([
			{ ...sung, instrumental: false, vocal_gender: 'f' },
			{ ...sung, instrumental: true },
		]);
		expect(emulator.journal.entries('POST /v1/music/generate')[0].body).toEqual({
			prompt: 'Song number 0',
			custom_mode: false,
			instrumental: false,
			vocal_gender: 'm',
		});
	});

	it('returns the IDs immediately when it does not wait', async () => {
		const { items } = await run(generate({ waitForCompletion: false }), songs(3));
		expect(items.map(({ json }) => json)).toEqual(
			emulator.tasks.all().map(({ id }) => ({ taskId: id, status: 'PENDING' })),
		);
		expect(emulator.journal.count()).toBe(3);
	});

	it('waits for the paid songs when it stops at a failing submit, and keeps them', async () => {
		emulator.behaviour.set(SUBMIT, { faults: [{ kind: 'status', status: 400, when: 'Song number 1' }] });
		const failed = await run(generate({ output: 'task', options: { parallelRequests: 3 } }), songs(20));
		expect(failed.error?.message).toContain('(row 2 of ');
		const submitted = emulator.tasks.all();
		expect(submitted.length).toBeLessThan(6);
		const kept = JSON.stringify(failed.run.data.executionData);
		for (const { id, finishesAt } of submitted) {
			expect(finishesAt).toBeLessThanOrEqual(emulator.tasks.now());
			expect(kept).toContain(id);
		}
	});

	it('uses the ID in a response that was cut off, and keeps a response without one', async () => {
		emulator.behaviour.set(SUBMIT, { faults: [{ kind: 'truncatedJson', bytes: 85 }] });
		const { items, error } = await run(generate({ waitForCompletion: false }), songs(1));
		expect(error).toBeUndefined();
		expect(items[0].json.taskId).toBe(emulator.tasks.all()[0].id);

		emulator.behaviour.set(SUBMIT, {
			faults: [{ kind: 'status', status: 200, body: { code: 'success', data: { ticket: 'abc' } } }],
		});
		const kept = await run(generate({}, { onError: 'continueRegularOutput' }), songs(1));
		expect(kept.items[0].json).toMatchObject({
			error: expect.stringContaining('no task ID'),
			details: { mayHaveBeenCarriedOut: true, partial: { answer: expect.stringContaining('"abc"') } },
		});

		emulator.behaviour.set(SUBMIT, {
			faults: [
				{ kind: 'status', status: 200, body: { code: 'quota_used_up', message: 'No credit.', data: null } },
			],
		});
		const refused = await run(generate(), songs(1));
		expect(refused.error?.message).toBe(
			'The account does not have enough credit for this request (status 402): No credit.',
		);
	});

	it('returns a failed task as a failure of its item, with reason and ID', async () => {
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

	it('returns a task that is not finished after Max Wait as data', async () => {
		emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 100_000 } });
		const { items, error } = await run(generate({ options: { maxWaitMinutes: 0.5 } }), songs(1));
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({
			taskId: emulator.tasks.all()[0].id,
			status: 'PROCESSING',
			submittedAt: '2027-01-15T08:00:00.000Z',
			progress: '30%',
			timedOut: true,
		});
	});

	it('is waited for by a retry, which orders again only songs that failed', async () => {
		const music = { pendingMs: 0, processingMs: 90_000 };
		emulator.behaviour.set(SUBMIT, {
			music: { ...music, failWhen: 'number 4' },
			faults: [{ kind: 'status', status: 400, when: 'number 6', times: 'always' }],
		});
		const workflow = generate({ options: { maxWaitMinutes: 1 } });
		let result = await run(workflow, songs(7));
		emulator.behaviour.set(SUBMIT, { music: { ...music, processingMs: 5_000 } });
		for (const executionId of ['first-retry', 'second-retry']) {
			expect(result.error).toBeDefined();
			const options = { credential: credential(), nodeTypes: { music: new DrivenMusic() }, executionId };
			result = await clock.run(retryRun(workflow, result, options));
		}
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(14);
		const ordered = emulator.journal.entries(SUBMIT).filter(({ carriedOut }) => carriedOut);
		const times = songs(7).map(
			({ json }) => ordered.filter(({ body }) => (body as { prompt: string }).prompt === json.prompt).length,
		);
		expect(times).toEqual([1, 1, 1, 1, 2, 1, 1]);
	});

	it.each([
		['a bare ID', {}, { submitAnswer: 'id' }],
		['other status names', {}, { statusNames: 'extended', earlyTrack: true }],
		['other track fields', {}, { trackFields: 'snakeCase', createTime: 'text', marker: 'result' }],
		[
			'other paths',
			{ musicSubmitPath: '/v1/music/generate', musicQueryPath: '/v1/music/query?task_id={task_id}' },
			{},
		],
		[
			'another query parameter name',
			{ musicQueryPath: '/v1/music/query?taskId={task_id}' },
			{ marker: 'status' },
		],
	] as const)('works with %s', async (_name, wiring, music) => {
		emulator.behaviour.set('*', { music: { ...music } });
		const { items, error } = await run(generate({ files: ['audio', 'cover'] }), songs(1), wiring);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(2);
		expect(items.every(({ binary }) => binary?.data.mimeType === 'audio/mpeg' && binary.cover)).toBe(true);
	});

	it('keeps the link and the other track when a file cannot be downloaded', async () => {
		emulator.behaviour.set('GET /__emulator/files/*', {
			faults: [{ kind: 'html', status: 200, when: '-1.mp3', times: 'always' }],
		});
		const { outputs } = await run(generate({ files: ['audio', 'cover'] }, continuing), songs(1));
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

	it('rejects invalid parameters before anything is paid for', async () => {
		for (const parameters of [
			{ prompt: ' ' },
			{ options: { pollIntervalSeconds: 1.9 } },
			{ options: { pollIntervalSeconds: 61 } },
			{ files: ['audio', 'cover'], coverPropertyName: 'data' },
			{ ownLyrics: true, lyrics: 'La', style: ' ', title: 'La' },
		]) {
			const { error } = await run(generate(parameters), songs(1));
			expect(error?.description).toMatch(/ Nothing was sent\.$/);
		}
		expect(emulator.journal.count()).toBe(0);
	});
});

describe('Music: Get and Wait', () => {
	const submitted = async (count: number) =>
		(await run(generate({ waitForCompletion: false }), songs(count))).items;

	it.each(['track', 'task'])(
		'leaves out what the gateway did not send, with one item per %s',
		async (output) => {
			const [{ json }] = await submitted(1);
			const answers = (data: object) =>
				emulator.behaviour.set(QUERY, {
					faults: [{ kind: 'status', status: 200, body: { code: 'success', data } }],
				});
			answers({ status: 'PENDING', finish_time: 0, progress: '' });
			const { taskId } = json;
			expect((await run(query('get', { output }), [{ json }])).items[0].json).toEqual({
				taskId,
				status: 'PENDING',
			});
			const audioUrl = 'https://files.example/1.mp3';
			answers({ status: 'SUCCESS', data: [{ audioUrl, title: '', tags: [], createTime: 0 }] });
			const { items } = await run(query('get', { output }), [{ json }]);
			expect(items[0].json).toEqual(
				output === 'task'
					? { taskId, status: 'SUCCESS', tracks: [{ audioUrl }] }
					: { taskId, status: 'SUCCESS', track: 1, audioUrl },
			);
			expect(JSON.stringify(items[0].json)).not.toContain('""');
		},
	);

	it('Get returns the progress of a pending task and the songs of a finished one', async () => {
		const ids = (await submitted(2)).map(({ json }) => ({ json }));
		const before = await run(query('get'), ids);
		expect(before.items.map(({ json }) => json.status)).toEqual(['PENDING', 'PENDING']);
		emulator.tasks.advance(60_000);
		const { items } = await run(query('get'), ids);
		expect(items.map(({ pairedItem }) => (pairedItem as { item: number }).item)).toEqual([0, 0, 1, 1]);
	});

	it('Wait polls a task that several items name only once, and returns it for each of them', async () => {
		const [first, second] = (await submitted(2)).map(({ json }) => ({ json }));
		emulator.journal.clear();
		const { items } = await run(query('wait', { files: ['audio', 'cover'] }), [first, second, first]);
		expect(items.map(({ json }) => json.taskId)).toEqual(
			[first, first, second, second, first, first].map(({ json }) => json.taskId),
		);
		expect(emulator.journal.count(QUERY)).toBe(6);
		expect(emulator.journal.count(({ path }) => path.includes('/files/'))).toBe(8);
	});

	it('fails immediately, and only for its item, when an ID is unknown', async () => {
		const [known] = await submitted(1);
		const { outputs } = await run(query('wait', { output: 'task' }, continuing), [
			{ json: { taskId: 'nowhere' } },
			{ json: known.json },
			{ json: { taskId: ' ' } },
		]);
		expect(outputs[0]).toHaveLength(1);
		expect(outputs[1].map(({ json }) => json.error)).toEqual([
			'The gateway has no task "nowhere": There is no task "nowhere".',
			'Task ID is empty',
		]);
		expect(outputs[1][0].json.details).toMatchObject({ taskId: 'nowhere', kind: 'notFound' });
		const single = await run(query('get'), [{ json: { taskId: '../../v1/models?x' } }]);
		expect(single.error?.message).toContain('Task ID is "../../v1/models?x"');
	});
});
