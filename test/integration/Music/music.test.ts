import '../engine/environment';
import { Logger } from '@n8n/backend-common';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Rule } from '../../../emulator';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { REPORT_EVERY_MS } from '../../../nodes/shared/run/progress';
import { secondsOf } from '../../audioTools';
import { chosen } from '../engine/chosen';
import { eventually } from '../engine/eventually';
import { retryRun } from '../engine/retry';
import { fileBytes, runWorkflow, type WorkflowJson } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';
import { useFastClock } from '../faults/fastClock';
import { wav } from '../VoiceModel/voiceSamples';

const SUBMIT = 'POST /v1/music/generations';
const QUERY = 'GET /v1/music/tasks/*';

const WAV = wav({ seconds: 1 });
const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(900, 7)]);

const PRICED: Rule = { headers: [{ 'x-litellm-response-cost': '0.02' }] };

useFastClock(100);
const music = useNode('music', { files: [] }, { now: () => systemClock.date() });
beforeEach(() => music.emulator.tasks.clear());
afterEach(() => jest.restoreAllMocks());

const songs = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { prompt: `Song number ${index}` } }));
const generate = (parameters: object = {}, settings: object = {}) =>
	music.workflow(
		{ operation: 'generate', model: chosen('music-v5'), prompt: '={{ $json.prompt }}', ...parameters },
		settings,
	);
const query = (operation: 'get' | 'wait', parameters: object = {}, settings: object = {}) =>
	music.workflow({ operation, taskId: '={{ $json.taskId }}', ...parameters }, settings);
const run = async (workflow: WorkflowJson, input: INodeExecutionData[], wiring: object = {}) =>
	await runWorkflow(workflow, { credential: { ...music.credential(), ...wiring }, input });
/** Lets the gateway answer the next request to a route with this body. */
const answerWith = (route: string, body: object) => music.fail(route, { kind: 'status', status: 200, body });
const continuing = { onError: 'continueErrorOutput' };
type Fault = NonNullable<Rule['faults']>[number];
const onError = { onError: 'continueRegularOutput' };

describe('Music: Generate', () => {
	it('returns tracks as items with their audio and cover, in the order of the input', async () => {
		// The gateway does not find them at once.
		music.fail(QUERY, { kind: 'status', status: 404, times: 2 });
		const { items, error } = await run(generate({ files: ['audio', 'cover'] }), songs(2));
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
		expect(items[0].json).toEqual({
			title: 'Song number 0',
			audioUrl: expect.stringMatching(/\.mp3$/),
			imageUrl: expect.stringMatching(/\.png$/),
			durationSeconds: expect.any(Number),
			tags: 'pop, vocals',
			model: 'music-v5',
			trackId: expect.stringMatching(/-1$/),
			otherFields: { prompt: 'Song number 0' },
			track: 1,
			taskId: music.emulator.tasks.all()[0].id,
			status: 'SUCCESS',
			submittedAt: expect.stringMatching(/^\d{4}-.*Z$/),
			finishedAt: expect.stringMatching(/^\d{4}-.*Z$/),
			createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
			streamAudioUrl: expect.stringMatching(/\.mp3$/),
		});
		const { data, cover } = items[1].binary!;
		expect(data).toMatchObject({ mimeType: 'audio/mpeg', fileName: 'Song number 0 (Version 2) 2.mp3' });
		expect(cover).toMatchObject({ mimeType: 'image/png', fileExtension: 'png' });
		expect(secondsOf(await fileBytes(data))).toBeGreaterThan(10);
		const files = music.emulator.journal.entries(({ path }) => path.includes('/files/'));
		expect(files).toHaveLength(8);
		expect(new Set(files.flatMap(({ key, headers }) => [key, headers.authorization]))).toEqual(
			new Set(['missing']),
		);
	});

	it('sends lyrics, style, and title in the fields and to the path that the credential names', async () => {
		const own = { ownLyrics: true, lyrics: 'La la', style: 'folk', title: 'La', vocalGender: 'f' };
		const options = { extraBodyFields: '{"tags": "jazz"}' };
		const wiring = {
			musicSubmitPath: '/v1/music/generate',
			musicStyleField: 'tags',
			musicTitleField: ' song_title ',
		};
		music.emulator.behaviour.set('POST /v1/music/*', { checkUndocumented: false });
		await run(generate({ ...own, waitForCompletion: false, options }), songs(1), wiring);
		const instrumental = { model: undefined, vocalGender: 'm', instrumental: true };
		await run(generate({ ...instrumental, waitForCompletion: false }), songs(1));
		expect(music.sent('POST /v1/music/generate')).toEqual([
			{
				model: 'music-v5',
				instrumental: false,
				prompt: 'La la',
				custom_mode: true,
				tags: 'jazz',
				song_title: 'La',
				vocal_gender: 'f',
			},
		]);
		expect(music.sent(SUBMIT)).toEqual([{ prompt: 'Song number 0', custom_mode: false, instrumental: true }]);
	});

	it('waits for the paid songs when it stops at a failing submit, and keeps them', async () => {
		music.fail(SUBMIT, { kind: 'status', status: 400, when: 'Song number 1' });
		const failed = await run(generate({ output: 'task', options: { parallelRequests: 3 } }), songs(20));
		expect(failed.error?.message).toContain('(row 2 of ');
		const submitted = music.emulator.tasks.all();
		expect(submitted.length).toBeLessThan(6);
		const kept = JSON.stringify(failed.run.data.executionData);
		for (const { id, finishesAt } of submitted) {
			expect(finishesAt).toBeLessThanOrEqual(music.emulator.tasks.now());
			expect(kept).toContain(id);
		}
	});

	it('uses the ID in a response that was cut off, and keeps a response without one', async () => {
		music.fail(SUBMIT, { kind: 'truncatedJson', bytes: 85 });
		const { items, error } = await run(generate({ waitForCompletion: false }), songs(1));
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({ taskId: music.emulator.tasks.all()[0].id, status: 'PENDING' });

		answerWith(SUBMIT, { code: 'success', data: { ticket: 'abc' } });
		const kept = await run(generate({}, { onError: 'continueRegularOutput' }), songs(1));
		expect(kept.items[0].json).toMatchObject({
			error: expect.stringContaining('no task ID'),
			details: { charge: 'certain', partial: { answer: expect.stringContaining('"abc"') } },
		});

		answerWith(SUBMIT, { success: false, data: { task_id: 't9' } });
		const denied = await run(generate({}, onError), songs(1));
		expect(denied.items[0].json.details).toMatchObject({ kind: 'answer', taskId: 't9' });
	});

	it('returns a failed task as a failure of its item, with reason and ID', async () => {
		const input = [{ json: { prompt: 'Good' } }, { json: { prompt: 'Bad [fail]' } }];
		const { outputs } = await run(generate({ output: 'task', files: ['audio'] }, continuing), input);
		expect(outputs[0].map(({ binary }) => Object.keys(binary!))).toEqual([['data1', 'data2']]);
		expect(outputs[1][0]).toMatchObject({
			pairedItem: { item: 1 },
			json: {
				error: 'The gateway could not finish the task: The prompt was refused by the content check.',
				details: { kind: 'task', taskId: music.emulator.tasks.all()[1].id },
			},
		});
	});

	it('returns a task that is not finished after Max Wait as data', async () => {
		music.emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 100_000 } });
		const { items, error } = await run(generate({ options: { maxWaitMinutes: 0.5 } }), songs(1));
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({
			taskId: music.emulator.tasks.all()[0].id,
			status: 'PROCESSING',
			submittedAt: expect.stringMatching(/^\d{4}-.*Z$/),
			progress: expect.stringMatching(/^\d+%$/),
			timedOut: true,
		});
	});

	it('has its kept files in a retry that gets other links, because one of its files is missing', async () => {
		music.emulator.behaviour.set(SUBMIT, { music: { pendingMs: 0, processingMs: 0 } });
		music.fail('GET /__emulator/files/*', { kind: 'status', status: 403, when: '-2.png', times: 'always' });
		const workflow = generate({ files: ['audio', 'cover'] });
		const failed = await run(workflow, songs(1));
		expect(failed.error?.message).toContain('could not be downloaded');
		const [{ id }] = music.emulator.tasks.all();
		const data = { status: 'SUCCESS', data: [1, 2].map((number) => ({ id: `${id}-${number}` })) };
		const png = `data:image/png;base64,${PNG.toString('base64')}`;
		const tracks = data.data.map((track) => ({
			...track,
			audio_url: 'https://gone.invalid/',
			image_url: png,
		}));
		music.fail(QUERY, {
			kind: 'status',
			status: 200,
			body: { code: 'success', data: { ...data, data: tracks } },
		});
		const { items, error } = await retryRun(workflow, failed, { credential: music.credential() });
		expect(error).toBeUndefined();
		expect(items.map(({ binary }) => Object.keys(binary!))).toEqual([
			['data', 'cover'],
			['data', 'cover'],
		]);
	});

	it('ends a poll without an answer at Max Wait, whatever Timeout is', async () => {
		music.fail(QUERY, { kind: 'stall', times: 'always' });
		const options = { maxWaitMinutes: 0.5, timeoutSeconds: 86_400 };
		const { items } = await run(generate({ options }, onError), songs(1));
		expect(items[0].json).toMatchObject({ timedOut: true });
		// On this clock, the poll alone would take a quarter of an hour.
	}, 60_000);

	it('is waited for by a retry, which orders again only songs that failed', async () => {
		const times = { pendingMs: 0, processingMs: 90_000 };
		music.emulator.behaviour.set(SUBMIT, {
			music: { ...times, failWhen: 'number 4' },
			faults: [{ kind: 'status', status: 400, when: 'number 6', times: 'always' }],
		});
		const workflow = generate({ options: { maxWaitMinutes: 1 } });
		let result = await run(workflow, songs(7));
		music.emulator.behaviour.set(SUBMIT, { music: { ...times, processingMs: 5_000 } });
		for (const executionId of ['first-retry', 'second-retry']) {
			expect(result.error).toBeDefined();
			result = await retryRun(workflow, result, { credential: music.credential(), executionId });
		}
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(14);
		const ordered = music.emulator.journal.entries(SUBMIT).filter(({ carriedOut }) => carriedOut);
		const orders = songs(7).map(
			({ json }) => ordered.filter(({ body }) => (body as { prompt: string }).prompt === json.prompt).length,
		);
		expect(orders).toEqual([1, 1, 1, 1, 2, 1, 1]);
	});

	it('is asked for again by a retry if its file is gone at the link that an earlier try saw', async () => {
		music.emulator.behaviour.set(SUBMIT, { music: { pendingMs: 0, processingMs: 0, failWhen: 'number 1' } });
		const failed = await run(generate(), songs(2));
		music.emulator.behaviour.set(SUBMIT, { music: { pendingMs: 0, processingMs: 0 } });
		const [{ id }] = music.emulator.tasks.all();
		// The gateway has signed the link anew.
		const audioUrl = `data:audio/wav;base64,${WAV.toString('base64')}`;
		const track = { id: `${id}-1`, title: 'Song number 0', audioUrl };
		const body = { code: 'success', data: { status: 'SUCCESS', data: [track] } };
		music.fail('GET /__emulator/files/*', { kind: 'status', status: 410, when: id, times: 'always' });
		music.fail(QUERY, { kind: 'status', status: 200, when: id, body });
		const retry = { credential: music.credential(), executionId: 'retry' };
		const { items, error } = await retryRun(generate({ files: ['audio'] }), failed, retry);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect(await fileBytes(items[0].binary!.data)).toEqual(WAV);
	});

	it.each<[string, Fault, RegExp]>([
		['a wrong key', { kind: 'status', status: 401 }, /^Open the credential/],
		['an unknown task', { kind: 'status', status: 404 }, /^Check Task ID/],
		['a busy gateway', { kind: 'status', status: 503 }, /^The song/],
		['a limit', { kind: 'status', status: 429 }, /^The song/],
		['a lost connection', { kind: 'resetBeforeHeaders' }, /^The song/],
		['another answer', { kind: 'status', status: 200, body: { data: {} } }, /^The song/],
	])('says that a submitted song is paid for when its polls end with %s', async (_what, fault, beginning) => {
		music.fail(QUERY, { ...fault, times: 'always' });
		const { items } = await run(generate({ options: { maxWaitMinutes: 0.5 } }, onError), songs(1));
		// In half a minute, one every 8 seconds, and one at its end.
		expect(music.emulator.journal.count(QUERY)).toBeLessThanOrEqual(4);
		const { description, ...details } = items[0].json.details as Record<string, string>;
		const [{ id: taskId }] = music.emulator.tasks.all();
		expect(details).toMatchObject({ taskId, charge: 'certain' });
		expect(description).toMatch(beginning);
		expect(description).toMatch(
			/The song was submitted .* Use Wait for Music Tasks .* probably charged for it/,
		);
		expect(description).not.toMatch(/not carried out|run (it|the item) again|remaining items/i);

		const { items: waited } = await run(query('wait', { options: { maxWaitMinutes: 0.5 } }, onError), [
			{ json: { taskId } },
		]);
		expect(waited[0].json.details).toMatchObject({ taskId });
		expect(waited[0].json.details).not.toHaveProperty('charge');
	});

	it('is not submitted again by Retry On Fail if it failed at the gateway, but by a person', async () => {
		music.emulator.behaviour.set(SUBMIT, { music: { pendingMs: 0, processingMs: 0, failWhen: 'number 0' } });
		const workflow = generate({}, { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
		const failed = await run(workflow, songs(1));
		expect(failed.error?.message).toMatch(/^The gateway could not finish the task: /);
		expect(failed.error?.context.data).toMatchObject({ charge: 'possible', taskId: expect.any(String) });
		expect(music.sent(SUBMIT)).toHaveLength(1);
		await retryRun(workflow, failed, { credential: music.credential(), executionId: 'retry' });
		expect(music.sent(SUBMIT)).toHaveLength(2);
	});

	it('is asked for at the query path of the credential', async () => {
		const musicQueryPath = '/v1/music/query?taskId={task_id}';
		const { items } = await run(generate(), songs(1), { musicQueryPath });
		expect(items).toHaveLength(2);
		const [poll] = music.emulator.journal.entries(({ method }) => method === 'GET');
		const query = { taskId: music.emulator.tasks.all()[0].id };
		expect(poll).toMatchObject({ path: '/v1/music/query', query });
	});

	it('keeps the link and the other track when a file cannot be downloaded', async () => {
		const page = { kind: 'html', status: 200, when: '-1.mp3', times: 'always' } as const;
		music.fail('GET /__emulator/files/*', page);
		music.emulator.behaviour.set(SUBMIT, PRICED);
		const { outputs } = await run(generate({ files: ['audio', 'cover'] }, continuing), songs(1));
		expect(outputs[0].map(({ json }) => json.cost)).toEqual([0.02]);
		expect(outputs[1][0].json).toMatchObject({
			error: expect.stringContaining('it is a web page instead of a file'),
			details: {
				kind: 'download',
				taskId: music.emulator.tasks.all()[0].id,
				partial: { url: expect.stringContaining('-1.mp3'), audioUrl: expect.stringContaining('-1.mp3') },
			},
		});
	});

	it.each([
		[{}, [0.02, undefined]],
		[{ options: { output: 'task' } }, [0.02]],
		[{ waitForCompletion: false }, [0.02]],
	])('has its cost in the first of its items: %j', async (parameters, costs) => {
		music.emulator.behaviour.set(SUBMIT, PRICED);
		const { items } = await run(generate(parameters), songs(1));
		expect(items.map(({ json }) => json.cost)).toEqual(costs);
	});

	it.each(['', '={{ null }}', 'Audio, cover'])(
		'downloads all files if Files to Download is %j',
		async (files) => {
			const { items } = await run(generate({ files }), songs(1));
			expect(Object.keys(items[0].binary ?? {})).toEqual(['data', 'cover']);
		},
	);

	it('stores a track that is in the response itself, and leaves it out of the item', async () => {
		const uri = (type: string, file: Buffer) => `data:${type};base64,${file.toString('base64')}`;
		const track = { title: 'Inside', audioUrl: uri('audio/wav', WAV), imageUrl: uri('image/png', PNG) };
		answerWith(QUERY, { code: 'success', data: { status: 'SUCCESS', data: [track] } });
		const { items, error } = await run(generate({ files: ['audio', 'cover'] }), songs(1));
		expect(error).toBeUndefined();
		expect(items[0].json).not.toHaveProperty(['audioUrl']);
		expect(items[0].json).not.toHaveProperty(['imageUrl']);
		const { data, cover } = items[0].binary!;
		expect([await fileBytes(data), await fileBytes(cover)]).toEqual([WAV, PNG]);
		answerWith(QUERY, { code: 'success', data: { status: 'SUCCESS', data: [track] } });
		expect((await run(generate(), songs(1))).items[0].json).toMatchObject(track);
		const stream = { streamAudioUrl: track.audioUrl, imageUrl: track.imageUrl };
		answerWith(QUERY, { code: 'success', data: { status: 'SUCCESS', data: [stream] } });
		const { items: covers } = await run(generate({ files: ['cover'] }), songs(1));
		expect(covers[0].json).toMatchObject({ audioUrl: track.audioUrl, streamAudioUrl: track.audioUrl });
	});

	it('rejects invalid parameters before anything is paid for', async () => {
		for (const parameters of [
			{ options: { pollIntervalSeconds: 61 } },
			{ files: ['audio', 'cover'], coverPropertyName: 'data' },
			{ ownLyrics: true, lyrics: 'La', style: ' ', title: 'La' },
		]) {
			const { error } = await run(generate(parameters), songs(1));
			expect(error?.description).toMatch(/ Nothing was sent\.$/);
		}
		expect(music.emulator.journal.count()).toBe(0);
	});
});

describe('Music: Get and Wait', () => {
	const submitted = async (count: number) =>
		(await run(generate({ waitForCompletion: false, simplify: false }), songs(count))).items;

	it.each([
		['Generate', ['audio'], 0],
		['Wait', ['audio'], 0],
		['Get', ['audio'], 0],
		['Get', [], 1],
	])(
		'after %s with the files %j, a retry asks for a finished song %j times',
		async (operation, files, times) => {
			music.emulator.behaviour.set(SUBMIT, {
				music: { pendingMs: 0, processingMs: 0, failWhen: 'number 1' },
			});
			const isNew = operation === 'Generate';
			const input = isNew ? songs(2) : (await submitted(2)).map(({ json }) => ({ json }));
			const workflow = isNew ? generate({ files }) : query(operation === 'Get' ? 'get' : 'wait', { files });
			const failed = await run(workflow, input);
			expect(failed.error?.message).toContain('(row 2 of 2)');
			const [{ id }] = music.emulator.tasks.all();
			music.emulator.journal.clear();
			const retry = { credential: music.credential(), executionId: 'retry' };
			const { error } = await retryRun(workflow, failed, retry);
			expect(error?.message).toContain('(row 2 of 2)');
			expect(music.emulator.journal.count(({ path }) => path.includes(id))).toBe(times);
		},
	);

	it('Wait polls a task that several items name only once, and returns it for each of them', async () => {
		music.emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0 } });
		const [first, second] = (await submitted(2)).map(({ json }) => ({ json }));
		music.emulator.journal.clear();
		const again = { json: { taskId: ` ${first.json.taskId as string} ` } };
		const raw = query('wait', { files: ['audio', 'cover'], simplify: false });
		const { items } = await run(raw, [first, second, again]);
		expect(items.map(({ json }) => [json.taskId, json.track])).toEqual(
			[first, second, first].flatMap(({ json }) => [1, 2].map((track) => [json.taskId, track])),
		);
		expect(music.emulator.journal.count(QUERY)).toBe(2);
		expect(music.emulator.journal.count(({ path }) => path.includes('/files/'))).toBe(8);
	});

	it.each([
		['alone', [], 'The gateway returned only one track for a task, although 2 are usual'],
		[
			'beside one that has no link',
			[{ title: 'Second' }],
			"The gateway's response has tracks without a link or in another form (1). What is missing may arrive later. Use Wait for Music Tasks with the task ID in a minute, which costs nothing.",
		],
	])('Get says so when a track is %s', async (_how, others, hint) => {
		const track = { audioUrl: 'https://files.example.com/1.mp3' };
		answerWith(QUERY, { code: 'success', data: { status: 'SUCCESS', data: [track, ...others] } });
		// Nothing of an earlier song is kept.
		const names = ['durationSeconds', 'submittedAt', 'finishedAt', 'trackId', 'streamAudioUrl', 'imageUrl'];
		const more = ['otherFields', 'progress', 'timedOut', 'cancelled', 'tracks', 'cost'];
		const earlier = Object.fromEntries([...names, ...more, 'audioUrl'].map((name) => [name, 'old']));
		const get = query('get', { options: { includeInputFields: true, files: [] } });
		const { hints, items } = await run(get, [{ json: { taskId: 't1', ...earlier } }]);
		expect(hints).toEqual([hint]);
		expect(Object.values(items[0].json)).not.toContain('old');
	});

	it('Get fails for a task that has failed, and has the ID beside a raw response', async () => {
		answerWith(QUERY, { code: 'success', data: { status: 'FAILED', fail_reason: 'No vocals' } });
		const failed = await run(query('get', {}, continuing), [{ json: { taskId: 't1' } }]);
		expect(failed.outputs[1][0].json.error).toContain('could not finish the task: No vocals');
		const running = { code: 'success', data: { status: 'PROCESSING' } };
		answerWith(QUERY, running);
		const { items } = await run(query('get', { simplify: false }), [{ json: { taskId: 't1' } }]);
		expect(items[0].json).toEqual({ ...running, taskId: 't1' });
	});

	it('Get says of no answer that it was charged for', async () => {
		music.fail(QUERY, { kind: 'status', status: 200, body: { hello: 1 }, times: 'always' });
		const { outputs } = await run(query('get', {}, continuing), [{ json: { taskId: 't1' } }]);
		const details = outputs[1][0].json.details as IDataObject;
		expect(details).toMatchObject({ kind: 'answer', partial: { answer: { hello: 1 } } });
		expect([details.charge, details.description]).toEqual([
			undefined,
			expect.not.stringContaining('charged'),
		]);
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

const SONGS = 6;

describe('Canceling Music', () => {
	it('stops immediately while it waits, with the IDs in the log and in the output', async () => {
		const warn = jest.spyOn(Logger.prototype, 'warn');
		const sleep = jest.spyOn(systemClock, 'sleep');
		const waits = () => sleep.mock.calls.some(([forMs]) => forMs >= 1000 && forMs !== REPORT_EVERY_MS);
		const { journal, tasks } = music.emulator;
		const { items } = await runWorkflow(generate({ files: ['audio', 'cover'] }), {
			credential: music.credential(),
			input: songs(SONGS),
			onStart: (cancel) => {
				void journal
					.until(SONGS)
					.then(async () => await eventually(waits))
					.then(cancel);
			},
		});
		// A run that continued would have asked for the songs.
		expect(journal.count('GET /v1/music/*')).toBe(0);
		const ids = tasks.all().map(({ id }) => id);
		expect(items.map(({ json }) => json)).toEqual(
			ids.map((taskId) => ({ taskId, status: 'PENDING', cancelled: true })),
		);
		const logged = () => warn.mock.calls.map(String).filter((line) => line.includes('Music tasks'));
		await eventually(() => logged().length === 1);
		for (const id of ids) expect(logged()[0]).toContain(id);
	});
});
