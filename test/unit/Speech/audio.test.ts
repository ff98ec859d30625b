import { readSubmittedTask } from '../../../nodes/Music/tasks/musicTask';
import { audioIn, receiveAudio, requireAudio } from '../../../nodes/Speech/audioAnswer';
import type { Answer } from '../../../nodes/shared/answer/answerReaders';
import { joinStories, recordStories, type Story, type StoryPart } from '../../../nodes/Speech/episode/story';
import type { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { answerFailure } from '../../../nodes/shared/failure/words';
import { speak } from '../../../nodes/Speech/speak';
import { fileOfText } from '../../../nodes/shared/plain/fileText';
import { DAMAGED_TEXT } from '../../../nodes/shared/answer/filesInJson';
import type { ByteStream } from '../../../nodes/shared/answer/byteStream';
import { Call } from '../../../nodes/shared/run/call';
import { PaidResults } from '../../../nodes/shared/run/paidResults';
import { Capacity } from '../../../nodes/shared/run/pool';
import { RunResources } from '../../../nodes/shared/run/runResources';
import { GatewayClient } from '../../../nodes/shared/send/client';
import { FakeClock } from '../fakeClock';
import { FakeContext } from '../shared/fakeContext';
import { ofStatus } from '../shared/ofStatus';
import { frameAt, Mp3Scanner } from '../../../nodes/audio/mp3Frames';
import { rawSound } from '../../../nodes/audio/wav';
import { OpusReader } from '../../../nodes/audio/opusReader';
import { WavScanner } from '../../../nodes/audio/wavScanner';
import { decode, synthesize } from '../../audioTools';
import { answerOf, bytesOf, inChunks, storedBytes } from '../answerOf';
import { wav as wavOf } from '../../integration/VoiceModel/voiceSamples';
import { DAMAGED_WAVS, PCM, SECONDS, wav } from '../audio/damagedWavs';
import { audioDuration, joined, scanned, soundFrames, spoken } from '../audio/joined';

/** Frames of MPEG 1 layer III in mono at 44.1 kHz. */
function mp3(frames: number, bitRateIndex = 9): Buffer {
	const kbits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160][bitRateIndex];
	const frame = Buffer.alloc(Math.floor((144 * kbits * 1000) / 44_100));
	frame.set([0xff, 0xfb, bitRateIndex << 4, 0xc4]);
	return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** A tag with a picture that looks like a frame. */
const id3 = () => {
	const picture = mp3(1, 1);
	const head = Buffer.from('ID3\x04\x00\x00\x00\x00\x00', 'latin1');
	return Buffer.concat([head, Buffer.from([picture.length]), picture]);
};

it.each([
	[0xfb, 144_000, [44_100, 48_000, 32_000], '32 40 48 56 64 80 96 112 128 160 192 224 256 320'],
	[0xf3, 72_000, [22_050, 24_000, 16_000], '8 16 24 32 40 48 56 64 80 96 112 128 144 160'],
	[0xe3, 72_000, [11_025, 12_000, 8_000], '8 16 24 32 40 48 56 64 80 96 112 128 144 160'],
])(
	'MP3 frames have the lengths of the standards (ISO 11172-3, 13818-3): %i',
	(version, factor, rates, kbits) => {
		for (const [rate, sampleRate] of rates.entries()) {
			const lengths = kbits.split(' ').map((kbit) => Math.floor((factor * Number(kbit)) / sampleRate));
			const all = [...Array(16).keys()].map((index) => [0xff, version, (index << 4) | (rate << 2), 0]);
			const found = all.map((head) => frameAt(Buffer.from(head))?.length);
			expect(found).toEqual([undefined, ...lengths, undefined]);
		}
	},
);

it('An MP3 file is missing what its headers announce together, as far as they say it', async () => {
	const [vbri, silent] = [mp3(1), mp3(1).fill(9, 25, 40)];
	vbri.write('VBRI', 36, 'latin1');
	vbri.writeUInt32BE(10, 50);
	silent.write('Info\0\0\0\x02', 21, 'latin1');
	const cut = (await joined([mp3(8)])).bytes.subarray(0, -3 * 417);
	const files = [
		[cut, cut],
		[vbri, mp3(4)],
		[silent, mp3(4)],
	].map((parts) => Buffer.concat(parts));
	const missing = files.map((file) => scanned(new Mp3Scanner(), file).missingSeconds * (44_100 / 1152));
	expect(missing.map(Math.round)).toEqual([16 - 10 - 2, 10 - 4 - 2, 0]);
	const failed = Buffer.concat([mp3(4), Buffer.from('{"error":{}}')]);
	expect(scanned(new Mp3Scanner(), failed).endsInError).toBe(true);
	expect(soundFrames(mp3(4).subarray(0, -1))).toHaveLength(3);
});

describe('Audio joiner', () => {
	it('joins only the sound frames of MP3 files, without tags or headers in between', async () => {
		const info = mp3(1);
		info.write('Info', 21, 'latin1');
		const parts = [
			Buffer.concat([id3(), info, mp3(10)]),
			Buffer.concat([id3(), mp3(5), Buffer.from('TAG'.padEnd(128))]),
			// A concatenated part.
			Buffer.concat([mp3(2), id3(), info, mp3(3)]),
		];
		const { bytes, durationSeconds } = await joined(parts);
		expect(Buffer.concat(soundFrames(bytes)).equals(mp3(20))).toBe(true);
		expect(durationSeconds).toBeCloseTo((20 * 1152) / 44_100, 5);
		expect(audioDuration(parts[0])).toBeCloseTo((10 * 1152) / 44_100, 5);
	});

	it('adds a header with the number of frames to MP3 files of several bit rates', async () => {
		const { bytes } = await joined([mp3(4, 9), mp3(4, 5)]);
		expect(bytes.toString('latin1', 21, 25)).toBe('Xing');
		expect([25, 29, 33].map((at) => bytes.readUInt32BE(at))).toEqual([7, 8, bytes.length]);
		// Seek positions: half of the time takes up more than half of the bytes.
		const places = [...bytes.subarray(37, 137)];
		const [start, middle] = [mp3(4, 9), mp3(4, 5)].map((frames) => bytes.indexOf(frames));
		expect(places[0]).toBe(Math.floor((256 * start) / bytes.length));
		expect(places[50]).toBe(Math.floor((256 * middle) / bytes.length));
		expect(places).toEqual([...places].sort((one, other) => one - other));
	});

	it('knows that the header of the first of several MP3 files misleads players', async () => {
		const { bytes } = await joined([mp3(4, 9), mp3(4, 5)]);
		const isMisleading = (...files: Buffer[]) => scanned(new Mp3Scanner(), Buffer.concat(files)).isMisleading;
		expect([isMisleading(bytes), isMisleading(bytes, bytes), isMisleading(bytes, mp3(8))]).toEqual([
			false,
			true,
			true,
		]);
	});
});

const TONE = 'sine=f=440:d=1,volume=-6dB';
const toneWav = (...codec: string[]) => synthesize(TONE, 'wav', ['-ac', '1', '-ar', '24000', ...codec]);

const PLAIN = wav(PCM);
/** Joins a plain file, the given one, and the plain one again. */
const between = async (bytes: Buffer) => (await joined([PLAIN, bytes, PLAIN])).bytes;

describe('A WAV file', () => {
	it.each([
		['24 bits', ['-c:a', 'pcm_s24le'], '1 channel, 24 bits instead of 24000 Hz, 1 channel, 16 bits'],
		['floating point', ['-c:a', 'pcm_f32le'], '32 bits, floating point'],
		['another sample rate', ['-ar', '22050'], '22050 Hz, 1 channel, 16 bits'],
		[
			'compressed blocks',
			['-c:a', 'adpcm_ima_wav'],
			'is a compressed WAV file, which cannot be joined; choose another format',
		],
	])('with %s does not fit the others, and the failure says why', async (_what, codec, why) => {
		await expect(between(toneWav(...codec))).rejects.toThrow(why);
	});

	it('fits the others if its header says the same in another way', async () => {
		const extensible = wavOf({ seconds: 1, sampleRate: 24_000, extensible: true });
		const { samples } = decode(await between(extensible));
		expect(samples).toHaveLength(PCM.length + 24_000);
	});

	it.each([4, 5])('is read behind tags of %d bytes, which are padded to an even number', (length) => {
		const tags = Buffer.alloc(8 + length + (length % 2));
		tags.write('LIST');
		tags.writeUInt32LE(length, 4);
		const file = Buffer.concat([PLAIN.subarray(0, 12), tags, PLAIN.subarray(12)]);
		expect(scanned(new WavScanner(), file).seconds).toBe(scanned(new WavScanner(), PLAIN).seconds);
	});

	it('that ends in the middle of a sample shifts nothing behind it', async () => {
		const { samples } = decode(await between(wav(PCM.subarray(0, 24_001))));
		expect(samples).toHaveLength(PCM.length + 12_000);
		const plain = decode(PLAIN).samples;
		expect(samples.subarray(-plain.length)).toEqual(plain);
	});

	it.each(DAMAGED_WAVS)('with $damage keeps its sound, in small pieces as well', async ({ file, isCut }) => {
		const { bytes, durationSeconds } = await joined([file]);
		expect(durationSeconds).toBeCloseTo(SECONDS, 3);
		expect(bytes.subarray(44, 44 + PCM.length).equals(PCM)).toBe(true);
		expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
		const whole = scanned(new WavScanner(), file);
		expect(whole.missingSeconds > 0).toBe(isCut);
		const reader = new WavScanner();
		await reader.readAll(inChunks(file, [13]));
		expect([reader.spans, reader.isMisleading]).toEqual([whole.spans, whole.isMisleading]);
	});

	it.each<[string, size: (length: number) => number, boolean]>([
		['of the right size', (length) => length, false],
		['of an open size, as ffmpeg writes it to a pipe', () => 0xffff_ffff, false],
		['of no size', () => 0, true],
		['of half the size', (length) => length / 2, true],
	])('with compressed sound %s misleads programs, or not', (_what, size, isMisleading) => {
		for (const codec of ['pcm_mulaw', 'pcm_alaw']) {
			const file = toneWav('-c:a', codec);
			const start = file.indexOf('data') + 8;
			file.writeUInt32LE(size(file.length - start), start - 4);
			expect(scanned(new WavScanner(), file).isMisleading).toBe(isMisleading);
		}
	});

	const RAW = 'audio/pcm audio/raw audio/wave audio/vnd.wave audio/x-l16 application/octet-stream';
	it.each(RAW.split(' '))('is made of whole samples of raw sound: %s', (type) => {
		const source = { size: 96_003, open: () => [], fail: answerFailure };
		const expected = { kind: '24000 Hz, 2 channels, 16 bits', seconds: 1, length: 96_000 };
		expect(rawSound(source, `${type}; rate="24000"; channels=2`)).toMatchObject(expected);
	});

	it.each([
		wavOf({ seconds: 1, sampleRate: 16_000 }),
		toneWav('-c:a', 'pcm_u8', '-ac', '2'),
		toneWav('-c:a', 'pcm_s32le'),
	])('that consists of files with different formats is refused, and says why', async (other) => {
		const both = Buffer.concat([PLAIN, other]);
		await expect(joined([both])).rejects.toThrow('with different formats');
		expect(scanned(new WavScanner(), both).isMisleading).toBe(true);
	});
});

it.each([
	['A WAV file', PLAIN, () => new WavScanner()],
	['An Opus file', spoken('Hello.', 'opus'), () => new OpusReader()],
])(
	'%s misleads players if it consists of several, although the header of each is right',
	(_what, file, scanner) => {
		const misleads = [[file], [file, file]].map(
			(files) => scanned(scanner(), Buffer.concat(files)).isMisleading,
		);
		expect(misleads).toEqual([false, true]);
	},
);

const SENTENCE = 'The model is currently loading';
const WAV = spoken('Hello.', 'wav').subarray(0, 20_000);
const base64 = WAV.toString('base64');
const WAV_URI = `data:audio/wav;base64,${base64.slice(0, 64)}`;

const received = async (body: string | Buffer, contentType?: string) =>
	await receiveAudio(answerOf(body, { contentType }), storedBytes);

it.each<[string, (answer: Answer) => Promise<unknown>]>([
	['audio', async (answer) => await receiveAudio(answer, jest.fn())],
	['a task', readSubmittedTask],
])('A sentence as a JSON string in place of %s is in the failure', async (_what, read) => {
	await expect(read(answerOf(JSON.stringify(SENTENCE)))).rejects.toMatchObject({
		message: expect.stringContaining(SENTENCE),
		facts: { partial: { answer: expect.stringContaining(SENTENCE) } },
	});
});

describe('Audio', () => {
	it.each<[string, string | Buffer, string?]>([
		['is the response itself', WAV, 'audio/wav'],
		['is the response itself, whatever its type', WAV],
		['is a file under any name beside a word', JSON.stringify({ data: 'done', sound: base64 })],
		['is a short text in JSON', JSON.stringify({ data: { audio: base64.slice(0, 400) } })],
		['is in JSON without its type', JSON.stringify({ audio: base64 }), 'text/plain'],
		['is in JSON with an error beside it', JSON.stringify({ audio: base64, error: { message: 'Slow' } })],
		['is a short one beside an error', JSON.stringify({ audio: base64.slice(0, 400), error: { code: 1 } })],
	])('%s', async (_where, body, type = 'application/json') => {
		const { bytes } = (await received(body, type)) as { bytes: Buffer };
		expect(bytes.equals(WAV.subarray(0, bytes.length))).toBe(true);
		expect(bytes.length).toBeGreaterThanOrEqual(300);
	});

	it('says so if its Base64 is damaged', async () => {
		const damaged = JSON.stringify({ audio: base64.replace(/(?<=^.{2000})./, '?') });
		expect(await received(damaged)).toMatchObject({ problem: DAMAGED_TEXT });
	});

	it('may be missing', async () => {
		const echoed = JSON.stringify({ error: { message: 'Slow', code: 429 }, input: { sample: base64 } });
		await expect(received(echoed)).rejects.toMatchObject({ kind: 'rateLimit' });
		await expect(received('{"id":"a","audio":"abcd"}')).rejects.toMatchObject({
			message: expect.stringContaining('it is JSON without audio'),
			facts: { partial: { answer: { id: 'a' } } },
		});
	});

	it.each<[string, string | Buffer, string, string?]>([
		['nothing', '', 'it is empty'],
		['a picture', Buffer.from('GIF89a, and so on'), 'it is image/gif instead of audio'],
		['a web page', '<!doctype html><p>Sign in</p>', 'web page', 'text/html'],
		['a sentence', SENTENCE, `it is text instead of audio: ${SENTENCE}`, 'audio/mpeg'],
		// The part that is looked at ends inside a character.
		['a long text', '服务暂时不可用。'.repeat(20), 'it is text instead of audio', 'audio/mpeg'],
	])('is not %s', async (_what, body, words, type = 'application/json') => {
		await expect(requireAudio(answerOf(body, { contentType: type }))).rejects.toThrow(words);
	});

	it('may be anything if it breaks off after a few letters', async () => {
		const answer = answerOf('RIFF', { error: new Error('ECONNRESET') });
		await expect(requireAudio(answer)).rejects.toThrow('ECONNRESET');
	});
});

describe('Audio in JSON', () => {
	const find = (body: unknown) => audioIn(body, (text) => text.startsWith('key/'));

	const FILE = fileOfText(WAV_URI);

	it.each<[unknown, object]>([
		[{ data: WAV_URI }, { file: FILE }],
		[{ audio: 'key/0', note: 'x' }, { key: 'key/0' }],
		[{ url: 'https://x/a.mp3' }, { link: 'https://x/a.mp3' }],
		[{ output: { audio: { url: 'https://x/a.mp3' } } }, { link: 'https://x/a.mp3' }],
		...['audio_base64', 'audioContent', 'audio_data', 'audioData'].map((name): [object, object] => [
			{ [name]: WAV_URI, alignment: {} },
			{ file: FILE },
		]),
		// OpenMAIC#1395, and Sarvam's API, which has a list.
		[{ audioUrl: 'https://x/a.mp3' }, { link: 'https://x/a.mp3' }],
		[{ request_id: 'r', audios: [WAV_URI] }, { file: FILE }],
		[{ audio: 'clip-1', audio_url: WAV_URI }, { file: FILE }],
		[{ request_id: 'r', audios: ['key/0', 'key/1'] }, { key: 'key/0' }],
	])('is found in %j', (body, place) => expect(find(body)).toEqual(place));
});

const SETTINGS = { model: 'm', voice: 'v', format: 'wav', speed: undefined, partLength: undefined };

it('Audio behind a link is downloaded again, and not paid for again, when n8n has deleted its file', async () => {
	const asked: string[] = [];
	const respond = ({ url }: { url: string }) => {
		asked.push(new URL(url).pathname);
		return url.includes('/audio/speech')
			? { headers: { 'x-litellm-response-cost': '0.5' }, body: { audio_url: 'https://files.example/a.wav' } }
			: { body: WAV };
	};
	const file = { id: 'deleted', mimeType: 'audio/wav', data: '' };
	const prepareBinaryData = async (content: ByteStream) => await bytesOf(content).then(() => file);
	const tries = {};
	for (let count = 0; count < 2; count++) {
		const context = new FakeContext({ respond }).execute;
		Object.assign(context.helpers, { prepareBinaryData });
		const clock = new FakeClock();
		const client = await GatewayClient.of(context, { clock });
		const results = new PaidResults(tries, { runIndex: 0 });
		const call = new Call(new RunResources(context, client, { results }), 0);
		const { value } = await clock.run(speak(call, SETTINGS, 'Hello.'));
		expect(value).toMatchObject({ file: { id: 'deleted' }, cost: 0.5 });
	}
	expect(asked).toEqual(['/v1/audio/speech', '/a.wav', '/a.wav']);
});

it.each([
	['a fault of this package', new TypeError('A fault'), 'bug', 0],
	['what cannot be read', answerFailure('the audio is odd'), 'answer', 1],
])(
	'A part that cannot be joined is asked for again by Retry, but not because of a fault: %s',
	async (_what, thrown, kind, noted) => {
		const noteUnusable = jest.fn();
		const open = () => {
			throw thrown;
		};
		const source = { open, size: WAV.length, fail: answerFailure };
		const paid = { value: {}, noteUnusable } as unknown as StoryPart['paid'];
		const story = {
			title: '',
			texts: ['Hi'],
			parts: [{ number: 1, text: 'Hi', source, paid }],
		} as unknown as Story;
		await joinStories([story], 0);
		expect(story.failure).toMatchObject({ kind, charge: 'certain' });
		expect(noteUnusable).toHaveBeenCalledTimes(noted);
	},
);

it('The first part that fails is named, and its failure says that another one may be paid for', async () => {
	const failures: Record<string, GatewayFailure> = {
		'One.': ofStatus({ status: 400 }),
		'Two.': ofStatus({ status: 504 }),
	};
	const pay = async ({ json }: { json: { input: string } }) => await Promise.reject(failures[json.input]);
	const pool = { capacity: new Capacity(() => 2) };
	const call = { requestOptions: {}, extraBodyFields: {}, pool, pay } as unknown as Call;
	const story: Story = { call, title: '', texts: ['One.', 'Two.'], parts: [], settings: SETTINGS };
	await recordStories([story], true);
	expect(story.failure).toMatchObject({
		message: expect.stringContaining('Part 1 of 2'),
		charge: 'possible',
	});
});
