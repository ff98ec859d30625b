import type { INodeExecutionData } from 'n8n-workflow';
import { startEmulator, type Emulator } from '../../../emulator';
import { fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { audioDuration } from './audioDuration';

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator();
});
afterAll(async () => await emulator.close());
beforeEach(() => {
	emulator.behaviour.reset();
	emulator.journal.clear();
});

let credentials = 0;
const credential = () => ({
	baseUrl: emulator.url,
	apiKey: emulator.apiKey,
	requestsPerMinute: 1_000_000 + credentials++,
});
const stories = (...texts: string[]): INodeExecutionData[] =>
	texts.map((text, index) => ({
		json: { text, title: `Story ${index + 1}`, voice: index % 2 ? 'Anders' : 'Beatrix' },
	}));
const joinItems = async (input: INodeExecutionData[], parameters: object = {}, settings = {}) =>
	await runWorkflow(
		oneNode(
			'speech',
			{
				operation: 'joinItems',
				source: 'text',
				model: { __rl: true, mode: 'id', value: 'svc-tts' },
				text: '={{ $json.text }}',
				voice: { __rl: true, mode: 'id', value: '={{ $json.voice }}' },
				chapterTitle: '={{ $json.title }}',
				format: 'mp3',
				pauseSeconds: 0.7,
				ifItemFails: 'stop',
				subtitles: 'none',
				tags: {},
				binaryPropertyName: 'data',
				options: {},
				...parameters,
			},
			settings,
		),
		{ credential: credential(), input },
	);

const FRAME_SECONDS = { mp3: 0.024, opus: 0.02, wav: 1 / 24_000 };
const TWELVE = Array.from({ length: 12 }, (_, index) =>
	`This is story number ${index + 1}. `.repeat(1 + (index % 4)),
);

describe('Join Items', () => {
	it.each(['mp3', 'opus', 'wav'] as const)(
		'joins twelve stories in two voices into one %s file',
		async (format) => {
			const { items, error } = await joinItems(stories(...TWELVE), { format });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			const [{ json, binary, pairedItem }] = items;
			expect(pairedItem).toEqual(TWELVE.map((_, item) => ({ item })));
			const bytes = await fileBytes(binary!.data);
			const placed = json.stories as Array<{ startSeconds: number; endSeconds: number }>;
			const spoken = placed.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
			expect(Math.abs(audioDuration(bytes)! - spoken - 11 * 0.7)).toBeLessThan(FRAME_SECONDS[format] + 0.1);
			expect(json).toMatchObject({
				items: 12,
				format,
				durationSeconds: Math.round(audioDuration(bytes)! * 100) / 100,
			});
		},
	);

	it('splits long stories, and speaks each sentence separately if it is set to', async () => {
		const long = 'A sentence of some length. '.repeat(10).trim();
		const parts = async (options: object) => {
			emulator.journal.clear();
			const { items } = await joinItems(stories(long, 'Short one.'), { options });
			return [emulator.journal.count(), items[0].json.items];
		};
		expect(await parts({})).toEqual([2, 2]);
		expect(await parts({ partLength: 100 })).toEqual([5, 2]);
		expect(await parts({ eachSentence: true })).toEqual([11, 2]);
	});

	it('joins audio files of earlier nodes with what is spoken, between an intro and an outro', async () => {
		const first = await joinItems(stories('A jingle.'), { tags: {} });
		const jingle = first.items[0].binary!.data;
		const input: INodeExecutionData[] = [
			{ json: { source: 'text', text: 'Good morning.', voice: 'Anders' }, binary: { jingle } },
			{ json: { source: 'file', voice: 'Anders' }, binary: { data: jingle } },
		];
		emulator.journal.clear();
		const { items, error } = await joinItems(input, {
			source: '={{ $json.source }}',
			pauseSeconds: 1.2,
			options: { introField: 'jingle', outroField: 'jingle' },
		});
		expect(error).toBeUndefined();
		expect(emulator.journal.count()).toBe(1);
		const jingleSeconds = first.items[0].json.durationSeconds as number;
		const [spoken, file] = items[0].json.stories as Array<{ startSeconds: number; endSeconds: number }>;
		expect(spoken.startSeconds).toBeCloseTo(jingleSeconds + 1.2, 1);
		expect(file.startSeconds - spoken.endSeconds).toBeCloseTo(1.2, 1);
		expect(items[0].json.durationSeconds).toBeCloseTo(file.endSeconds + 1.2 + jingleSeconds, 1);
	});
});

/** Makes the gateway reject the text of one story. */
const rejectWith = (words: string) =>
	emulator.behaviour.set('POST /v1/audio/speech', {
		faults: [{ kind: 'status', status: 400, body: { error: { message: words } }, times: 1 }],
	});

describe('When an item fails, Join Items', () => {
	const THREE = stories('First story.', '', 'Third story.');

	it('sends nothing when an item has no text', async () => {
		const { error } = await joinItems(THREE);
		expect(error?.message).toContain('Text is empty [item 1]');
		expect(emulator.journal.count()).toBe(0);
	});

	it('leaves the item out, or a pause in its place, and says which one it is', async () => {
		const joined = async (ifItemFails: string) => (await joinItems(THREE, { ifItemFails })).items;
		const [[skipped], [paused]] = [await joined('skip'), await joined('pause')];
		expect(skipped.json).toMatchObject({ items: 2, failedItems: [{ item: 1, error: 'Text is empty' }] });
		expect(paused.json).toMatchObject({
			items: 3,
			stories: [{ item: 0 }, { item: 1, failed: true }, { item: 2 }],
		});
		const difference = Number(paused.json.durationSeconds) - Number(skipped.json.durationSeconds);
		expect(difference).toBeCloseTo(2.7, 1);
		expect(skipped.pairedItem).toEqual([{ item: 0 }, { item: 2 }]);
	});

	it('sends the failed item to the error output, next to the joined file', async () => {
		const { items, error } = await joinItems(
			THREE,
			{ ifItemFails: 'skip' },
			{ onError: 'continueRegularOutput' },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem, json }) => [pairedItem, json.error])).toEqual([
			[[{ item: 0 }, { item: 2 }], undefined],
			[{ item: 1 }, 'Text is empty'],
		]);
	});

	it('loses nothing that has been spoken when it stops', async () => {
		rejectWith('no such word');
		const { items } = await joinItems(
			stories('First story.', 'Second story.'),
			{ options: { maxConcurrency: 2 } },
			{ onError: 'continueRegularOutput' },
		);
		expect(items.map(({ json }) => json.error)).toEqual([
			expect.stringContaining('no such word'),
			'Item 0 failed, so the items were not joined',
		]);
		expect(items[1].binary!.data).toMatchObject({ mimeType: 'audio/mpeg' });
	});

	it('names the intro whose audio does not fit, and keeps what has been spoken', async () => {
		const wav = (await joinItems(stories('A jingle.'), { format: 'wav' })).items[0].binary!.data;
		const input = [{ ...stories('Good morning.')[0], binary: { jingle: wav } }];
		const { items } = await joinItems(
			input,
			{ options: { introField: 'jingle' } },
			{ onError: 'continueRegularOutput' },
		);
		expect(items[0].json.error).toBe(
			'Intro Field refers to the binary field "jingle", whose audio is not a readable MP3 file',
		);
		expect(items[0].binary!.data).toMatchObject({ mimeType: 'audio/mpeg' });
	});
});
