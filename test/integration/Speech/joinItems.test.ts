import type { INodeExecutionData } from 'n8n-workflow';
import { beatCount } from '../../../emulator/audio/speech';
import { decode, encode, probe } from '../../audioTools';
import { type LocalServer, startLocalServer } from '../../localServer';
import { audioDuration } from '../../unit/audio/joined';
import { chosen } from '../engine/chosen';
import { retryRun } from '../engine/retry';
import { fileBytes, runWorkflow } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';

/** Speaks the text of each item, with its title and voice. */
const speech = useNode('speech', {
	operation: 'joinItems',
	model: chosen('svc-tts'),
	text: '={{ $json.text }}',
	voice: chosen('={{ $json.voice }}'),
	chapterTitle: '={{ $json.title }}',
	pauseSeconds: 0.7,
});
const stories = (...texts: string[]): INodeExecutionData[] =>
	texts.map((text, index) => ({
		json: { text, title: ` Story ${index + 1} `, voice: index % 2 ? 'Anders' : 'Beatrix' },
	}));
const joinItems = async (input: INodeExecutionData[], parameters: object = {}, settings = {}) =>
	await speech.run(parameters, settings, { input });

describe('Join Items', () => {
	it('splits long stories, and speaks each sentence separately if it is set to', async () => {
		const long = 'A sentence of some length. '.repeat(10).trim();
		const parts = async (options: object) => {
			speech.emulator.journal.clear();
			const { items } = await joinItems(stories(long, 'Short one.'), { options });
			return [speech.emulator.journal.count(), items[0].json.items];
		};
		expect(await parts({})).toEqual([2, 2]);
		expect(await parts({ partLength: 100 })).toEqual([5, 2]);
		expect(await parts({ eachSentence: true })).toEqual([11, 2]);
		// Each sentence would pay for this text again.
		expect(await parts({ eachSentence: true, extraBodyFields: '{"input": "Mine."}' })).toEqual([2, 2]);
	});

	it('speaks all items in the format of the first', async () => {
		const format = '={{ $itemIndex ? "mp3" : "wav" }}';
		const { items } = await joinItems(stories('Good morning.', 'Good night.'), { options: { format } });
		expect(items[0].json).toMatchObject({ items: 2, format: 'wav' });
		expect(items[0].json).not.toHaveProperty('failedItems');
	});

	it('takes the name of a format in capital letters for the same format', async () => {
		const options = { extraBodyFields: '{"response_format": "MP3"}' };
		const { items, hints } = await joinItems(stories('Good morning.'), { options });
		expect([items[0].json.format, hints]).toEqual(['mp3', []]);
	});

	it.each([
		['an expression', '={{ $json.source }}'],
		['what each item has', 'mixed'],
	])('joins audio files of earlier nodes with what is spoken, by %s', async (_how, source) => {
		const first = await joinItems(stories('A jingle.'), { tags: {} });
		const input: INodeExecutionData[] = [
			{ json: { source: 'file', transcript: ' Ding dong. ' }, binary: { data: first.items[0].binary!.data } },
			{ json: { source: 'text', text: '**Good** morning.', voice: 'Anders' } },
		];
		speech.emulator.journal.clear();
		const parameters = {
			source,
			transcript: '={{ $json.transcript }}',
			subtitles: 'srt',
			pauseSeconds: 1.2,
			options: { removeFormatting: true },
		};
		const { items, error } = await joinItems(input, parameters);
		expect(error).toBeUndefined();
		expect(speech.emulator.journal.entries().map(({ body }) => body)).toMatchObject([
			{ input: 'Good morning.' },
		]);
		const [file, spoken] = items[0].json.stories as Array<{ startSeconds: number; endSeconds: number }>;
		expect(file).toMatchObject({ startSeconds: 0, endSeconds: first.items[0].json.durationSeconds });
		expect(spoken.startSeconds - file.endSeconds).toBeCloseTo(1.2, 1);
		expect(items[0].json.durationSeconds).toBe(spoken.endSeconds);
		const { data, data_srt: subtitles } = items[0].binary!;
		expect((await fileBytes(subtitles)).toString()).toMatch(/^1\r\n00:00:00,000 --> .*\r\nDing dong\.\r\n/);
		expect([data.fileName, probe(await fileBytes(data)).chapters]).toEqual(['Ding dong.mp3', []]);
	});
});

/** Makes the gateway reject one text, after some others. */
const rejectWith = (message: string, skip = 0) =>
	speech.emulator.behaviour.set('POST /v1/audio/speech', {
		faults: [{ kind: 'status', status: 400, body: { error: { message } }, skip }],
		headers: [{ 'x-litellm-response-cost': '0.5' }],
	});

describe('When an item fails, Join Items', () => {
	const THREE = stories('First story.', '', 'Third story.');

	it('sends nothing when an item has no text', async () => {
		const { error } = await joinItems(THREE);
		expect(error?.message).toContain('Text is empty (row 2 of 3)');
		expect(speech.emulator.journal.count()).toBe(0);
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
			stories('First story.', 'Second story.', 'Third story.'),
			{ options: { parallelRequests: 2 } },
			{ onError: 'continueRegularOutput' },
		);
		const notJoined = 'Row 1 failed, so the items were not joined';
		expect(items.map(({ json }) => json.error)).toEqual([
			expect.stringContaining('no such word'),
			notJoined,
			notJoined,
		]);
		expect(items[1].binary!.data).toMatchObject({ mimeType: 'audio/mpeg' });
		expect(items[2].binary).toBeUndefined();
		expect(items[2].json.details).toMatchObject({
			description: expect.stringContaining('Nothing of this item has been spoken.'),
		});
	});

	it('keeps what has been spoken of an item that is left out', async () => {
		rejectWith('no', 1);
		const input = stories('First part. Second part.', 'Another story.');
		const parameters = { ifItemFails: 'skip', options: { partLength: 12, parallelRequests: 1 } };
		const { items, hints } = await joinItems(input, parameters);
		expect(items).toHaveLength(1);
		expect(items[0].binary!.data_row1_1).toMatchObject({ mimeType: 'audio/mpeg' });
		expect(items[0].json).toMatchObject({
			items: 1,
			cost: 1.5,
			stories: [{ item: 1, title: 'Story 2' }],
			failedItems: [
				{
					item: 0,
					error: expect.stringContaining('no'),
					details: {
						...{ kind: 'request', status: 400, charge: 'certain' },
						partial: { part: 2, finishedParts: [1], missingParts: [2] },
					},
				},
			],
		});
		expect(hints.join()).toContain('Row 1 is missing: Part 2 of 2');
	});

	it('does not say that the details contain what arrived if nothing did', async () => {
		speech.fail('POST /v1/audio/speech', {
			kind: 'status',
			status: 200,
			contentType: 'audio/mpeg',
			body: '',
		});
		const { error } = await joinItems(stories('First story.', 'Another story.'));
		expect(error?.context.data).toMatchObject({ kind: 'answer', charge: 'certain' });
		expect(error?.context.data).not.toHaveProperty('partial');
		expect(error?.description).toContain('has probably charged for it.');
	});

	it('leaves what has been spoken of a failed item with that item if there is one', async () => {
		rejectWith('no', 1);
		const input = stories('First part. Second part.', 'Another story.');
		const parameters = { ifItemFails: 'skip', options: { partLength: 12, parallelRequests: 1 } };
		const { items } = await joinItems(input, parameters, { onError: 'continueRegularOutput' });
		expect(items.map(({ binary }) => Object.keys(binary!))).toEqual([['data'], ['data_1']]);
	});

	it('sends nothing if an audio file has another format than the speech would have', async () => {
		const data = { data: wav.toString('base64'), mimeType: 'audio/wav' };
		const input = [stories('Good morning.')[0], { json: { source: 'file' }, binary: { data } }];
		for (const ifItemFails of ['stop', 'skip']) {
			const { error } = await joinItems(input, { ifItemFails, source: '={{ $json.source ?? "text" }}' });
			expect(error?.message).toContain(
				'Format is “mp3”, but an audio file of the input has the format “wav”',
			);
		}
		expect(speech.emulator.journal.count()).toBe(0);
	});

	it.each([
		['{"response_format": "flac"}', 'Format is “flac”, which cannot be joined'],
		[
			'={{ $itemIndex ? \'{"response_format": "wav"}\' : "" }}',
			'Format is “mp3” and “wav” in different items',
		],
	])('sends nothing if the audio could not be joined: %s', async (extraBodyFields, message) => {
		const { error } = await joinItems(stories('Good morning.', 'Good night.'), {
			options: { extraBodyFields },
		});
		expect(error?.message).toContain(message);
		expect(speech.emulator.journal.count()).toBe(0);
	});
});

/** Seconds that the emulator speaks a text. */
const secondsOf = (text: string, voice: string) => beatCount({ text, voice, speed: 1 }) * 0.12;
/** A pause of 0.7 seconds, which consists of whole frames. */
const PAUSE_SECONDS = 0.696;
const MOST_SECONDS_OFF = 0.001;
const TWELVE = Array.from({ length: 12 }, (_, index) =>
	`This is story number ${index + 1}. `.repeat(1 + (index % 4)),
);

describe('The episode that Join Items makes', () => {
	it('is one file that decodes without a warning, with chapters and subtitles where a story begins', async () => {
		const { items, error } = await joinItems(stories(...TWELVE), {
			options: { binaryPropertyName: 'episode' },
			tags: { title: 'Show', artist: 'Radio', album: 'Morning', date: '2026-11-23T06:30', language: 'de_AT' },
			subtitles: 'both',
		});
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		const [{ json, binary, pairedItem }] = items;
		expect(pairedItem).toEqual(TWELVE.map((_, item) => ({ item })));
		expect([binary!.episode_srt, binary!.episode_vtt]).toMatchObject([
			{ fileName: 'Show.srt', mimeType: 'application/x-subrip' },
			{ fileName: 'Show.vtt', mimeType: 'text/vtt' },
		]);
		const bytes = await fileBytes(binary!.episode);
		expect(decode(bytes).warnings).toBe('');
		const { chapters, format } = probe(bytes);
		const tags = { title: 'Show', artist: 'Radio', album: 'Morning', date: '2026-11-23', language: 'deu' };
		expect(format.tags).toMatchObject(tags);
		const marks: number[] = [];
		let at = 0;
		for (const text of TWELVE) {
			marks.push(at);
			at += secondsOf(text.trim(), 'Anders') + PAUSE_SECONDS;
		}
		const starts = chapters.map(({ start_time: start }) => Number(start)).sort((one, other) => one - other);
		expect(starts).toHaveLength(12);
		const ends = chapters.map(({ end_time: end }) => Number(end)).sort((one, other) => one - other);
		expect(ends.slice(0, -1)).toEqual(starts.slice(1));
		const cues = (await fileBytes(binary!.episode_vtt)).toString().matchAll(/(\d\d):([\d.]+) --> /g);
		const said = [...cues].map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds));
		marks.forEach((mark, index) => {
			expect(Math.abs(starts[index] - mark)).toBeLessThanOrEqual(MOST_SECONDS_OFF);
			const nearest = Math.min(...said.map((second) => Math.abs(second - mark)));
			expect(nearest).toBeLessThanOrEqual(MOST_SECONDS_OFF);
		});
		expect(json).toMatchObject({
			items: 12,
			format: 'mp3',
			durationSeconds: Math.round(audioDuration(bytes)! * 100) / 100,
		});
	});

	it('has no tags if they are turned off, but subtitles', async () => {
		const { items } = await joinItems(stories('One.'), {
			tags: { title: 'x', subtitles: 'srt', withoutTags: true },
		});
		expect(Object.keys(items[0].binary!)).toEqual(['data', 'data_srt']);
		expect(probe(await fileBytes(items[0].binary!.data)).format.tags).toBeUndefined();
		expect([items[0].json.title, items[0].binary!.data.fileName]).toEqual(['x', 'x.mp3']);
	});

	it('may have a cover of up to 10 MB', async () => {
		const coverOf = (size: number) => {
			const data = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(size - 8)]);
			return { cover: { data: data.toString('base64'), mimeType: 'image/png' } };
		};
		const joined = async (size: number) =>
			await joinItems([{ ...stories('One.')[0], binary: coverOf(size) }], { tags: { coverField: 'cover' } });
		const { items } = await joined(10_000_000);
		const bytes = await fileBytes(items[0].binary!.data);
		expect(bytes.length).toBeGreaterThan(10_000_000);
		expect(audioDuration(bytes)).toBeGreaterThan(0.3);
		expect((await joined(10_000_001)).error?.message).toContain('cannot be read or is longer than 10 MB');
	});

	it('is refused for a date or a cover that cannot be used', async () => {
		const errorOf = async (tags: object, binary?: INodeExecutionData['binary']) =>
			(await joinItems([{ ...stories('One.')[0], binary }], { tags })).error?.message;
		expect(await errorOf({ date: '2026-13' })).toContain('Date is “2026-13”, which is not a date');
		expect(await errorOf({ language: 'German (de)' })).toContain(
			'Language is “German (de)”, which is not a code',
		);
		const notAnImage = { data: Buffer.from('text').toString('base64'), mimeType: 'image/png' };
		expect(await errorOf({ coverField: 'cover' }, { cover: notAnImage })).toContain(
			'is not a JPEG or PNG image',
		);
		expect(await errorOf({ coverField: 'cover' })).toContain('which this item does not have');
		expect(speech.emulator.journal.count()).toBe(0);
	});
});

/** What a gateway answers to a text. */
type Answer = { type: string; body: Buffer | string };

const AUDIO = 'audio/mpeg';
const mono = encode('mp3', ['-ar', '24000', '-ac', '1', '-b:a', '48k'], 1);
const stereo = encode('mp3', ['-ar', '44100', '-ac', '2', '-b:a', '128k'], 1);
const wav = encode('wav', ['-ar', '24000', '-ac', '1', '-c:a', 'pcm_s16le'], 1);

let server: LocalServer;
let answers: Record<string, Answer>;
let asked: string[];

beforeAll(async () => {
	server = await startLocalServer((_request, response, sent) => {
		const { input } = JSON.parse(sent.toString()) as { input: string };
		asked.push(input);
		const { type, body } = answers[input] ?? { type: AUDIO, body: mono };
		response.writeHead(200, { 'content-type': type }).end(body);
	});
});
afterAll(async () => await server.close());
beforeEach(() => {
	answers = {};
	asked = [];
});

const items = (...texts: string[]): INodeExecutionData[] => texts.map((each) => ({ json: { text: each } }));
const atOther = (parameters: object = {}) => ({
	voice: chosen('any'),
	chapterTitle: '={{ $json.text }}',
	pauseSeconds: 0.5,
	ifItemFails: 'skip',
	options: { maxRetries: 1 },
	...parameters,
});
/** Runs at the other gateway. */
const run = (input: INodeExecutionData[]) => ({
	credential: { ...speech.credential(), baseUrl: server.url },
	input,
});
/** Joins texts into one item. */
const join = async (...texts: string[]) => {
	const { items: joined, ...others } = await speech.run(atOther(), {}, run(items(...texts)));
	return { item: joined[0], ...others };
};

describe('Join Items at other gateways', () => {
	it('joins what the gateway returns in another format, and says so', async () => {
		answers = { One: { type: 'audio/wav', body: wav }, Two: { type: 'audio/wav', body: wav } };
		const { item, hints } = await join('One', 'Two');
		expect(item.json).toMatchObject({ items: 2, format: 'wav', durationSeconds: 2.5 });
		expect(item.binary!.data.fileName).toBe('One.wav');
		expect(hints).toContain('The gateway returned wav although Format is "mp3"');
	});

	it.each([
		['another sample rate', { type: AUDIO, body: stereo }, 'of part 1 differs from the others (44100 Hz'],
		['nothing', { type: AUDIO, body: '' }, 'empty'],
	])('leaves out an item for which the gateway returns %s, and says why', async (_name, answer, words) => {
		answers = { Two: answer };
		const { item, hints, error } = await join('One', 'Two', 'Three');
		expect(error).toBeUndefined();
		expect(item.json).toMatchObject({
			items: 2,
			failedItems: [{ item: 1, error: expect.stringContaining(words) }],
		});
		expect(hints.join()).toContain('Row 2 is missing');
		expect(asked.filter((each) => each === 'Two')).toHaveLength(1);
		expect(decode(await fileBytes(item.binary!.data)).warnings).toBe('');
		// Audio that does not fit is paid for as well.
		expect('data_row2' in item.binary!).toBe(answer.body === stereo);
	});

	it.each([
		['cannot be read', Buffer.alloc(5000, 7)],
		['has another sample rate', stereo],
		['has another format', wav],
	])('asks again only for audio that %s when a failed execution is retried', async (_what, first) => {
		answers = { Two: { type: AUDIO, body: first } };
		const json = speech.workflow(atOther({ ifItemFails: 'stop' }));
		const settings = run(items('One', 'Two', 'Three'));
		const failed = await runWorkflow(json, settings);
		expect(failed.error?.description).toContain('Retry requests only this part again');
		expect([...asked].sort()).toEqual(['One', 'Three', 'Two']);
		answers = {};
		asked = [];
		const retried = await retryRun(json, failed, { ...settings, executionId: 'retry' });
		expect(asked).toEqual(['Two']);
		expect(retried.error).toBeUndefined();
	});

	const asFile = {
		json: { source: 'file' },
		binary: { data: { data: stereo.toString('base64'), mimeType: AUDIO } },
	};
	it.each<[string, INodeExecutionData[], advice: string | undefined]>([
		['a file with another sample rate comes first', [asFile, ...items('One', 'Two')], undefined],
		['another voice has another sample rate', items('One', 'Two'), 'Voices and models may differ'],
	])('pays for no speech again if %s', async (_what, input, advice) => {
		answers = { Two: { type: AUDIO, body: advice ? stereo : mono } };
		const source = "={{ $json.source ?? 'text' }}";
		const voice = chosen('={{ $json.text }}');
		const json = speech.workflow(atOther({ source, voice, ifItemFails: 'stop', chapterTitle: '' }));
		const failed = await runWorkflow(json, run(input));
		expect(failed.error?.message).toContain('differs from the others (44100 Hz');
		if (advice) expect(failed.error?.description).toContain(advice);
		expect([...asked].sort()).toEqual(['One', 'Two']);
		asked = [];
		const again = await retryRun(json, failed, { ...run(input), executionId: 'retry' });
		expect(again.error?.message).toBe(failed.error?.message);
		expect(asked).toEqual([]);
	});
});
