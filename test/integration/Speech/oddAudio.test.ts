import type { INodeExecutionData } from 'n8n-workflow';
import { decode, encode, secondsOf } from '../../audioTools';
import { type LocalServer, startLocalServer } from '../../localServer';
import { DAMAGED_WAVS, PCM, RATE, SECONDS, wav } from '../../unit/audio/damagedWavs';
import { joined, spoken } from '../../unit/audio/joined';
import { chosen } from '../engine/chosen';
import { fileBytes, storedFile } from '../engine/runWorkflow';
import { useNode } from '../engine/useNode';

/** What a speech server sends instead of an ordinary file. */
interface Body {
	bytes: Buffer | string;
	type?: string;
	status?: number;
	headers?: Record<string, string>;
}

let server: LocalServer;
let body: Body;
beforeAll(async () => {
	server = await startLocalServer((_request, response) => {
		const { bytes, type = 'audio/wav', status = 200, headers = {} } = body;
		response.writeHead(status, { 'content-type': type, ...headers }).end(bytes);
	});
});
afterAll(async () => await server.close());

const speech = useNode('speech', {
	model: chosen('svc-tts'),
	voice: chosen('Anders'),
	text: '={{ $json.text }}',
	pauseSeconds: 0,
});

/** Runs an operation of which each request, or each file of the input, is this body. @returns the number of bodies, too */
const OPERATIONS = {
	create: async (format: string) => await say({ operation: 'create', format }, ['A text.']),
	joinItems: async (format: string) =>
		await say({ operation: 'joinItems', format, options: { format } }, ['One.', 'Two.']),
	joinFiles: async () => {
		const { bytes, type = 'audio/wav' } = body;
		const file = await storedFile(Buffer.from(bytes), 'file', type);
		const input = [1, 2].map(() => ({ json: {}, binary: { data: file } }));
		return await run({ operation: 'joinItems', source: 'file' }, input);
	},
};
type Operation = keyof typeof OPERATIONS;
const operations = Object.keys(OPERATIONS) as Operation[];
const bodiesOf = (operation: Operation) => (operation === 'create' ? 1 : 2);

async function say(parameters: object, texts: string[]) {
	return await run(
		parameters,
		texts.map((text) => ({ json: { text } })),
	);
}

async function run(parameters: object, input: INodeExecutionData[]) {
	const credential = { ...speech.credential(), baseUrl: server.url };
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items, hints, error } = await speech.run(parameters, settings, { input, credential });
	if (error) throw error;
	const [first] = items;
	const fields = Object.values(first.binary ?? {});
	return { json: first.json, files: await Promise.all(fields.map(fileBytes)), binary: fields, hints };
}

/** One of each kind; the test of the reader has all of them. */
const SOME = DAMAGED_WAVS.filter((_wav, index) => index % 12 === 1 || index === 12);

describe.each(SOME)('A WAV with $damage', ({ file, isCut }) => {
	it.each(operations)('keeps all its sound and nothing else in %s', async (operation) => {
		body = { bytes: file };
		const { json, files, hints } = await OPERATIONS[operation]('wav');
		expect(json.error).toBeUndefined();
		const count = bodiesOf(operation);
		expect(json.durationSeconds).toBeCloseTo(count * SECONDS, 1);
		expect(secondsOf(files[0])).toBeCloseTo(count * SECONDS, 1);
		const { samples } = decode(files[0]);
		const expected = Buffer.concat(Array.from({ length: count }, () => PCM));
		expect(Buffer.from(samples.buffer).equals(expected)).toBe(true);
		expect(/is cut off/.test(JSON.stringify(json))).toBe(isCut);
		expect(hints.some((hint) => hint.includes('is cut off'))).toBe(isCut);
	});
});

const mp3 = () => encode('mp3', ['-ac', '1', '-ar', String(RATE), '-b:a', '64k'], 1);
const ofFrames = async () => (await joined([mp3()])).bytes;
const opusOf = (seconds: number) => encode('ogg', ['-c:a', 'libopus', '-ac', '1'], seconds);

describe('A file whose header belongs to its first part', () => {
	it.each<[string, string, () => Promise<Buffer>]>([
		['MP3 (openreader #129)', 'mp3', async () => Buffer.concat([await ofFrames(), await ofFrames(), mp3()])],
		['Opus', 'opus', async () => Buffer.concat([opusOf(1), opusOf(1), opusOf(1)])],
	])('is mended, so that players show all of it: %s', async (_what, format, make) => {
		body = { bytes: await make(), type: 'application/octet-stream' };
		for (const operation of operations) {
			const { json, files } = await OPERATIONS[operation](format);
			const seconds = 3 * bodiesOf(operation);
			expect(secondsOf(files[0])).toBeGreaterThan(seconds - 0.1);
			expect(secondsOf(files[0])).toBeCloseTo(json.durationSeconds as number, 1);
			expect(decode(files[0]).samples.length / RATE).toBeGreaterThan(seconds - 0.1);
			expect(json.problem).toBeUndefined();
		}
	});

	it('is left as it came if the header is right, or if there is none', async () => {
		for (const bytes of [mp3(), await ofFrames(), spoken('Hello.', 'mp3')]) {
			body = { bytes, type: 'audio/mpeg' };
			const { json, files } = await OPERATIONS.create('mp3');
			expect(files[0].equals(bytes)).toBe(true);
			expect(json.problem).toBeUndefined();
		}
	});

	it('says what is missing if the file ends before its header says', async () => {
		const whole = await ofFrames();
		body = { bytes: whole.subarray(0, whole.length / 2), type: 'audio/mpeg' };
		for (const operation of operations) {
			const { json, hints } = await OPERATIONS[operation]('mp3');
			expect(JSON.stringify(json)).toMatch(/is cut off: its header announces 1.0. seconds, but it has 0.5/);
			const rows = hints.map((hint) => /^Row (\d)/.exec(hint)?.[1]);
			expect(rows).toEqual(operation === 'create' ? [undefined] : ['1', '2']);
		}
		body = { bytes: whole, status: 206, headers: { 'content-range': 'bytes 0-99/5000' } };
		expect((await OPERATIONS.create('mp3')).json.problem).toContain('only a part of the file');
	});
});

it('An Opus file with a page that is incomplete or damaged says how much of it can be read (RFC 3533)', async () => {
	const whole = opusOf(3);
	const damaged = Buffer.from(whole);
	damaged[whole.length - 1] ^= 1;
	const vorbis = encode('ogg', ['-c:a', 'libvorbis'], 3);
	const problems: unknown[] = [];
	for (const bytes of [whole, whole.subarray(0, -50), damaged, vorbis]) {
		body = { bytes, type: 'audio/ogg' };
		problems.push((await OPERATIONS.create('opus')).json.problem);
	}
	const cut = expect.stringMatching(/^The audio is damaged or cut off after [12]\.?\d* seconds$/);
	expect(problems).toEqual([undefined, cut, cut, undefined]);
});

describe('What stands after the sound of an MP3', () => {
	const error = '{"error":{"message":"unexpected EOF (request id: 1)","code":"copy_response_body_failed"}}';
	it.each<[string, string, isCut: boolean]>([
		['an error, as One API adds it', error, true],
		['an error in a line of its own', `\n${error}\n`, true],
		['an ID3 tag', 'TAG{"error":'.padEnd(128), false],
		['an APE tag', 'APETAGEX\xd0\x07\0\0{}'.padEnd(400, '\0'), false],
		['Lyrics3', 'LYRICSBEGIN{"error"}000026LYRICS200', false],
	])('shows whether it is cut off: %s', async (_what, end, isCut) => {
		const whole = mp3();
		body = {
			bytes: Buffer.concat([whole.subarray(0, -100), Buffer.from(end, 'latin1')]),
			type: 'audio/mpeg',
		};
		for (const operation of operations) {
			const { json } = await OPERATIONS[operation]('mp3');
			expect(/is cut off: it ends with an error/.test(JSON.stringify(json))).toBe(isCut);
		}
	});
});

describe('A file without sound', () => {
	const tagOnly = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x02\0'), Buffer.alloc(256)]);
	it.each<[string, string, () => Buffer | Promise<Buffer>]>([
		['WAV, size FFFFFFFF', 'wav', () => wav(Buffer.alloc(0), 0xffff_ffff)],
		['WAV, cut in its header', 'wav', () => wav(Buffer.alloc(0)).subarray(0, 30)],
		['MP3, a header with a length', 'mp3', async () => (await ofFrames()).subarray(0, 192)],
		['MP3, only a tag', 'mp3', () => tagOnly],
		['Opus, only headers', 'opus', () => opusOf(1).subarray(0, opusOf(1).indexOf('OggS', 60))],
	])('fails, and says so: %s (fish-audio-python #128)', async (_what, format, make) => {
		body = { bytes: await make(), type: 'application/octet-stream' };
		for (const operation of ['create', 'joinItems'] as const) {
			const { json } = await OPERATIONS[operation](format);
			expect(json.error).toMatch(/without sound|is not .* and cannot be joined/);
		}
	});
});

describe('Sound without a header', () => {
	it.each(['audio/L16;codec=pcm;rate=24000', 'audio/wav; rate=24000'])(
		'gets one if its type says the rate: %s (python-genai #837)',
		async (type) => {
			body = { bytes: PCM, type };
			for (const operation of ['create', 'joinItems'] as const) {
				const { json, files } = await OPERATIONS[operation]('wav');
				expect(secondsOf(files[0])).toBeCloseTo(bodiesOf(operation) * SECONDS, 1);
				expect(json).toMatchObject({ format: 'wav', mimeType: 'audio/wav' });
				expect(json.problem).toBeUndefined();
			}
		},
	);

	it('gets one if its type stands before it in JSON (Gemini)', async () => {
		const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: PCM.toString('base64') };
		const candidates = [{ content: { parts: [{ inlineData }] } }];
		body = { bytes: JSON.stringify({ candidates }), type: 'application/json' };
		const { json, files } = await OPERATIONS.joinItems('mp3');
		expect(secondsOf(files[0])).toBeCloseTo(2 * SECONDS, 1);
		expect(json).toMatchObject({ format: 'wav', mimeType: 'audio/wav' });
	});

	it.each(['audio/mpeg', 'audio/L16', 'audio/L16;rate=24000;endianness=big-endian'])(
		'is kept as it is, and that is said, if its type is %s (livekit/agents #5267)',
		async (type) => {
			body = { bytes: PCM, type };
			const { json, files, hints } = await OPERATIONS.create('mp3');
			expect(files[0].equals(PCM)).toBe(true);
			expect(json.problem).toMatch(/has no readable header.*PCM/);
			expect(hints.join()).toContain(json.problem);
			const parts = await OPERATIONS.joinItems('mp3');
			expect(parts.json.error).toContain('cannot be joined');
			expect(parts.files).toEqual([PCM]);
		},
	);

	it('says if it is one of several in JSON (Sarvam)', async () => {
		const sound = wav(PCM).toString('base64');
		body = { bytes: JSON.stringify({ request_id: 'r', audios: [sound, sound] }), type: 'application/json' };
		const { json, files } = await OPERATIONS.create('wav');
		expect(files).toHaveLength(1);
		expect(json.problem).toBe('The audio is only the first of 2 sounds in the response');
	});

	it('is what was asked for, if it was', async () => {
		const sayIn = async (customFormat: string) =>
			await say({ operation: 'create', format: 'custom', customFormat }, ['Hi.']);
		body = { bytes: PCM, type: 'audio/L16;rate=24000' };
		const { json, files } = await sayIn('pcm');
		expect(files[0].equals(PCM)).toBe(true);
		expect(json.problem).toBeUndefined();
		expect((await sayIn('PCM')).hints).toEqual([]);
		body = { bytes: PCM, type: 'audio/mpeg' };
		for (const format of ['FLAC', 'aac', 'opus', 'ogg', 'm4a', 'webm']) {
			expect((await sayIn(format)).json.problem).toContain('has no readable header');
		}
		body = { bytes: wav(PCM) };
		expect((await sayIn(' WAV ')).hints).toEqual([]);
	});
});
