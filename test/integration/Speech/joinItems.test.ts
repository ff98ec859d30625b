import type { INodeExecutionData } from 'n8n-workflow';
import type { Emulator } from '../../../emulator';
import { beatCount } from '../../../emulator/audio/speech';
import { decode, encode, probe } from '../../audioTools';
import { retryRun } from '../engine/retry';
import { fileBytes, runWorkflow } from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { audioDuration } from './audioDuration';
import { joinItemsWorkflow } from './joinItemsWorkflow';

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startStrictEmulator();
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
	await runWorkflow(joinItemsWorkflow(parameters, settings), { credential: credential(), input });

describe('Join Items', () => {
	it('takes out of the texts what is not read aloud, if it is set to', async () => {
		const { items } = await joinItems(stories('**Bold** [link](https://example.com) 🎉'), {
			options: { cleanUpText: true },
		});
		expect(items[0].json.items).toBe(1);
		expect(emulator.journal.entries()[0].body).toMatchObject({ input: 'Bold link' });
	});

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

	it('keeps what has been spoken of an item that is left out', async () => {
		emulator.behaviour.set('POST /v1/audio/speech', {
			faults: [{ kind: 'status', status: 400, body: { error: { message: 'no' } }, skip: 1, times: 1 }],
		});
		const input = stories('First part. Second part.', 'Another story.');
		const parameters = { ifItemFails: 'skip', options: { partLength: 12, maxConcurrency: 1 } };
		const { items, hints } = await joinItems(input, parameters);
		expect(items).toHaveLength(1);
		expect(items[0].binary!.data_item0_1).toMatchObject({ mimeType: 'audio/mpeg' });
		expect(items[0].json).toMatchObject({
			items: 1,
			failedItems: [
				{ item: 0, error: expect.stringContaining('no'), details: { kind: 'request', status: 400 } },
			],
		});
		expect(hints.join()).toContain('Item 0 is missing: Part 2 of 2');
	});

	it('says which item has failed to those that were not spoken', async () => {
		rejectWith('no such word');
		const { items } = await joinItems(
			stories('First story.', 'Second story.', 'Third story.'),
			{ options: { maxConcurrency: 1 } },
			{ onError: 'continueRegularOutput' },
		);
		expect(items.slice(1).map(({ json, binary }) => [json.error, binary])).toEqual([
			['Item 0 failed, so the items were not joined', undefined],
			['Item 0 failed, so the items were not joined', undefined],
		]);
		expect(items[1].json.details).toMatchObject({
			description: expect.stringContaining('Nothing of this item has been spoken.'),
		});
	});

	it('names the intro whose audio does not fit, and keeps what has been spoken', async () => {
		const stereo = encode('mp3', ['-ar', '44100', '-ac', '2'], 1);
		const jingle = { data: stereo.toString('base64'), mimeType: 'audio/mpeg' };
		const input = [{ ...stories('Good morning.')[0], binary: { jingle } }];
		const { items } = await joinItems(
			input,
			{ options: { introField: 'jingle' } },
			{ onError: 'continueRegularOutput' },
		);
		expect(items[0].json.error).toBe(
			'Intro Field refers to the binary field "jingle", whose audio differs from the first (44100 Hz, 2 channels instead of 24000 Hz, 1 channel)',
		);
		expect(items[0].binary!.data).toMatchObject({ mimeType: 'audio/mpeg' });
	});

	it('sends nothing if an audio file has another format than the speech would have', async () => {
		const wav = encode('wav', ['-ar', '24000', '-ac', '1'], 1);
		const jingle = { data: wav.toString('base64'), mimeType: 'audio/wav' };
		const input = [{ ...stories('Good morning.')[0], binary: { jingle } }];
		for (const ifItemFails of ['stop', 'skip']) {
			const { error } = await joinItems(input, { ifItemFails, options: { introField: 'jingle' } });
			expect(error?.message).toContain(
				'Format is “mp3”, but an audio file of the input has the format “wav”',
			);
		}
		expect(emulator.journal.count()).toBe(0);
	});
});

/** Seconds that the emulator speaks a text. */
const secondsOf = (text: string, voice: string) => beatCount({ text, voice, speed: 1 }) * 0.12;
const FORMATS = ['mp3', 'opus', 'wav'] as const;
/** Silence, and an MP3 or Opus file, consists of frames that are this long; they do not add up. */
const START_LIMITS = { mp3: 0.03, opus: 0.03, wav: 0.001 };
const TWELVE = Array.from({ length: 12 }, (_, index) =>
	`This is story number ${index + 1}. `.repeat(1 + (index % 4)),
);

describe('The episode that Join Items makes', () => {
	it.each(FORMATS)(
		'is one file that decodes without a warning, whose chapters begin where the emulator begins to speak: %s',
		async (format) => {
			const { items, error } = await joinItems(stories(...TWELVE), { format, tags: { title: 'Show' } });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
			const [{ json, binary, pairedItem }] = items;
			expect(pairedItem).toEqual(TWELVE.map((_, item) => ({ item })));
			const bytes = await fileBytes(binary!.data);
			expect(decode(bytes).warnings.replace(/^Guessed Channel Layout.*$/m, '')).toBe('');
			const { chapters, format: container } = probe(bytes);
			const marks: number[] = [];
			let at = 0;
			for (const text of TWELVE) {
				marks.push(at);
				at += secondsOf(text.trim(), 'Anders') + 0.7;
			}
			const starts = chapters.map(({ start_time: start }) => Number(start)).sort((one, other) => one - other);
			expect(starts).toHaveLength(12);
			starts.forEach((start, index) =>
				expect(Math.abs(start - marks[index])).toBeLessThanOrEqual(START_LIMITS[format]),
			);
			expect(Math.abs(Number(container.duration) - (at - 0.7))).toBeLessThanOrEqual(0.03);
			expect(json).toMatchObject({
				items: 12,
				format,
				durationSeconds: Math.round(audioDuration(bytes)! * 100) / 100,
			});
		},
	);

	it.each(FORMATS)(
		'has subtitles that begin exactly with sentences that are spoken separately: %s',
		async (format) => {
			const texts = [
				'This is the first sentence. Second one is longer.',
				'今天的新闻有两条。第二条比较长一些。',
			];
			const { items } = await joinItems(stories(...texts), {
				format,
				subtitles: 'both',
				options: { eachSentence: true },
			});
			const { data_srt: srt, data_vtt: vtt } = items[0].binary!;
			expect([srt.fileName, srt.mimeType, vtt.fileName, vtt.mimeType]).toEqual([
				'Story 1.srt',
				'application/x-subrip',
				'Story 1.vtt',
				'text/vtt',
			]);
			const cues = [...(await fileBytes(vtt)).toString().matchAll(/(\d\d):(\d\d):(\S+) --> .*\n([^\n]*)/g)];
			const [one, two, three, four] = [
				'This is the first sentence.',
				'Second one is longer.',
				'今天的新闻有两条。',
				'第二条比较长一些。',
			];
			const first = secondsOf(one, 'Beatrix');
			const second = first + secondsOf(two, 'Beatrix') + 0.7;
			const marks = [0, first, second, second + secondsOf(three, 'Anders')];
			expect(cues.map(([, , , , text]) => text)).toEqual([one, two, three, four]);
			cues.forEach(([, , , start], index) =>
				expect(Math.abs(Number(start) - marks[index])).toBeLessThanOrEqual(START_LIMITS[format]),
			);
			expect(emulator.journal.count()).toBe(4);
		},
	);

	it('has subtitles with the whole text of stories that are spoken in one piece', async () => {
		const texts = [
			'This is the first sentence. Second one is longer.',
			'今天的新闻有两条。第二条比较长一些。',
		];
		const { items } = await joinItems(stories(...texts), { subtitles: 'vtt' });
		const lines = (await fileBytes(items[0].binary!.data_vtt)).toString().split('\n');
		const shown = lines.filter((line) => line !== '' && line !== 'WEBVTT' && !line.includes('-->'));
		expect(shown.join('')).toBe(texts.join('').replaceAll('sentence. ', 'sentence.'));
		expect(emulator.journal.count()).toBe(2);
	});

	it('is made again from what has been spoken when a retry speaks only what is missing', async () => {
		rejectWith('no such word');
		const input = stories('First story.', 'Second story.', 'Third story.');
		const json = joinItemsWorkflow({ options: { maxConcurrency: 1 } }, {});
		const run = { credential: credential(), input };
		const failed = await runWorkflow(json, run);
		expect(failed.error?.message).toContain('no such word');
		const before = emulator.journal.count();
		const retried = await retryRun(json, failed, run);
		expect(retried.error).toBeUndefined();
		expect(retried.items[0].json.items).toBe(3);
		expect(emulator.journal.count()).toBe(before + 3);
	});

	it('has no tags if they are turned off, and the whole Unicode of its title otherwise', async () => {
		const tagsOf = async (parameters: object) =>
			probe(await fileBytes((await joinItems(stories('One.'), parameters)).items[0].binary!.data)).format
				.tags;
		expect((await tagsOf({ tags: { title: '早间 🎙', date: '2026-11-23T06:30:00' } }))?.title).toBe('早间 🎙');
		expect(await tagsOf({ tags: { title: 'x' }, options: { writeTags: false } })).toBeUndefined();
	});

	it('is refused for a date or a cover that cannot be used', async () => {
		const errorOf = async (tags: object, binary?: INodeExecutionData['binary']) =>
			(await joinItems([{ ...stories('One.')[0], binary }], { tags })).error?.message;
		expect(await errorOf({ date: 'tomorrow' })).toContain('Date is “tomorrow”');
		const notAnImage = { data: Buffer.from('text').toString('base64'), mimeType: 'image/png' };
		expect(await errorOf({ coverField: 'cover' }, { cover: notAnImage })).toContain(
			'is not a JPEG or PNG image',
		);
		expect(await errorOf({ coverField: 'cover' })).toContain('which this item does not have');
		expect(emulator.journal.count()).toBe(0);
	});
});
