import { startEmulator, type Emulator } from '../../emulator';
import { audioDuration } from '../../nodes/shared/files/audio/joinAudio';
import { soundFrames } from '../../nodes/shared/files/audio/mp3';
import { fileBytes, oneNode, runWorkflow } from './engine/runWorkflow';

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	emulator.behaviour.reset();
	emulator.journal.clear();
});

const credential = () => ({ baseUrl: emulator.url, apiKey: emulator.apiKey });
const speech = (parameters: object = {}, settings = {}) =>
	oneNode(
		'speech',
		{
			operation: 'create',
			model: { __rl: true, mode: 'id', value: 'svc-tts' },
			text: '={{ $json.text }}',
			voice: { __rl: true, mode: 'id', value: 'Anders' },
			format: 'mp3',
			longText: 'join',
			binaryPropertyName: 'data',
			options: {},
			...parameters,
		},
		settings,
	);
const say = async (text: string, parameters: object = {}, settings = {}) =>
	await runWorkflow(speech(parameters, settings), { credential: credential(), input: [{ json: { text } }] });
const inputs = () => emulator.journal.entries().map(({ body }) => (body as { input: string }).input);

test('a short text is one request, streamed into a file with its true type', async () => {
	const { items, error } = await say('Good morning.');
	expect(error).toBeUndefined();
	expect(items[0].json).toEqual({
		voice: 'Anders',
		model: 'svc-tts',
		format: 'mp3',
		characters: 13,
		bytes: expect.any(Number),
		parts: 1,
	});
	const file = items[0].binary!.data;
	expect(file).toMatchObject({ mimeType: 'audio/mpeg', fileName: 'Good morning.mp3', fileExtension: 'mp3' });
	const bytes = await fileBytes(file);
	expect(bytes.length).toBe(items[0].json.bytes);
	expect(audioDuration(bytes)).toBeGreaterThan(0.5);
});

const TEXTS: Array<[string, string]> = [
	[
		'English',
		'The market rose by 3.5 percent today. Dr. Lee was glad! Was it luck? '.repeat(300).slice(0, 20_000),
	],
	['Chinese', '今天的新闻很多。股市上涨了百分之三！你知道吗？我们继续看天气；'.repeat(700).slice(0, 20_000)],
	['mixed', 'News of today: 今天天气很好。The rain stopped 👩‍👩‍👧! 真的吗？Yes. '.repeat(400).slice(0, 20_000)],
];

describe.each(TEXTS)('20,000 characters in %s', (_name, text) => {
	test.each(['mp3', 'wav'])('become one playable %s file and no sentence is lost', async (format) => {
		const { items, error } = await say(text, { format });
		expect(error).toBeUndefined();
		const sent = inputs();
		expect(sent.join('').replace(/\s/g, '')).toHaveLength(text.replace(/\s/g, '').length);
		expect(Math.max(...sent.map(({ length }) => length))).toBeLessThanOrEqual(4096);
		expect(sent.every((part) => part.isWellFormed())).toBe(true);

		const bytes = await fileBytes(items[0].binary!.data);
		const seconds = audioDuration(bytes)!;
		expect(items[0].json).toMatchObject({ parts: sent.length, characters: text.length });
		expect(items[0].json.durationSeconds).toBeCloseTo(seconds, 1);
		expect(seconds).toBeGreaterThan(600);
		if (format === 'mp3') {
			const frames = soundFrames(bytes);
			expect(frames.reduce((sum, { length }) => sum + length, 0)).toBe(bytes.length);
		}
	});
});

test('the parts are joined in their order although the first answers last', async () => {
	emulator.behaviour.set('POST /v1/audio/speech', { latencyMs: [5, 60] });
	const { items } = await say('One is short. Two is a little longer. Three.', {
		longText: 'items',
		options: { partLength: 25 },
	});
	expect(items.map(({ json }) => [json.part, json.parts, json.characters])).toEqual([
		[1, 3, 13],
		[2, 3, 23],
		[3, 3, 6],
	]);
	expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
});

test('a failing part names its text; what cannot be joined is refused before it is paid for', async () => {
	emulator.behaviour.set('POST /v1/audio/speech', {
		faults: [{ kind: 'status', status: 400, when: 'Second', times: 'always' }],
	});
	const { items } = await say(
		'First part. Second part.',
		{ options: { partLength: 12 } },
		{ onError: 'continueRegularOutput' },
	);
	expect(items[0].json).toMatchObject({ details: { partial: { part: 2, parts: 2, text: 'Second part.' } } });

	emulator.journal.clear();
	const { error } = await say('First part. Second part.', { format: 'opus', options: { partLength: 12 } });
	expect(error?.message).toContain('cannot be joined');
	expect(emulator.journal.count()).toBe(0);
});

test('JSON or a page in place of audio is a failure, not a file', async () => {
	emulator.behaviour.set('POST /v1/audio/speech', {
		faults: [{ kind: 'status', status: 200, body: { error: { message: 'voice engine busy' } } }],
	});
	const { error } = await say('Hello.');
	expect(error?.message).toBe('The gateway refused the request: voice engine busy [item 0]');
});

test('a cut file is not asked for again and says that it may have been paid for', async () => {
	emulator.behaviour.set('POST /v1/audio/speech', { faults: [{ kind: 'cut', afterBytes: 3000 }] });
	const { error } = await say('A longer sentence that gives some more audio than this.');
	expect(error?.message).toContain('broke before the answer was complete');
	expect(String(error?.description)).toContain('may have carried it out');
	expect(emulator.journal.count()).toBe(1);
});

test('a file that stops coming ends at the time limit', async () => {
	emulator.behaviour.set('POST /v1/audio/speech', { faults: [{ kind: 'stall', afterBytes: 3000 }] });
	const { error } = await say('A longer sentence that gives some more audio than this.', {
		options: { timeoutSeconds: 0.3 },
	});
	expect(error?.message).toContain('did not answer in time');
	expect(emulator.journal.count()).toBe(1);
});

test('voices come from the other path when the first does not exist', async () => {
	emulator.behaviour.set('GET /v1/audio/voices', {
		faults: [{ kind: 'status', status: 404, times: 'always' }],
	});
	const voices = oneNode('speech', {
		operation: 'getManyVoices',
		returnAll: true,
		filter: '',
		visibility: 'all',
		simplify: true,
		options: {},
	});
	const { items } = await runWorkflow(voices, { credential: credential() });
	expect(items.length).toBeGreaterThanOrEqual(38);
	expect(items[0].json).toEqual({ name: expect.any(String), description: expect.any(String), public: true });
});
