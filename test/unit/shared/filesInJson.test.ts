import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { readJsonWithFiles, type InlineFile } from '../../../nodes/shared/answer/filesInJson';
import { JSON_BUDGET, STREAM_BYTES } from '../../../nodes/shared/plain/budgets';
import { fileOfText } from '../../../nodes/shared/plain/fileText';
import type { Answer } from '../../../nodes/shared/answer/answerReaders';
import { answerOf as sentAnswer } from '../answerOf';
import { seededRandom } from '../seededRandom';

const bytesOf = (length: number, seed = 1) => {
	const random = seededRandom(seed);
	return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
};

/** A response that arrives in chunks of random length, up to `longest` bytes. */
function answerOf(text: string, longest = 5_000, seed = 1, error?: Error): Answer {
	const random = seededRandom(seed);
	const sizes = Array.from({ length: 1_000 }, () => 1 + Math.floor(random() * longest));
	return sentAnswer(text, { sizes, error });
}

const collect = async ({ mimeType, bytes }: InlineFile) => ({ mimeType, bytes: await buffer(bytes) });

const image = bytesOf(13_001);
const other = bytesOf(20_000, 2);

/** Reads a response of which nothing is known. */
const readFiles = async <T>(answer: Answer, store: (file: InlineFile) => Promise<T>) =>
	await readJsonWithFiles(answer, store, () => false);

describe('readJsonWithFiles', () => {
	it('decodes escaped slashes and plus signs with chunks of any length', async () => {
		const json = JSON.stringify({ url: `data:image/png;base64,${image.toString('base64')}` })
			.replaceAll('/', '\\/')
			.replaceAll('+', '\\u002B');
		for (const longest of [3, 20, 10_000]) {
			const { files } = await readFiles(answerOf(json, longest, longest), collect);
			const [file] = Object.values(files);
			expect(file.mimeType).toBe('image/png');
			expect(file.bytes.equals(image)).toBe(true);
		}
	});

	it.each([
		['audio/L16;codec=pcm;rate=24000', 'audio/L16;codec=pcm;rate=24000'],
		['audio\\/L16; rate=8000', 'audio/L16; rate=8000'],
		['image/png', ''],
		['audio/mpeg', ''],
		['https://gateway/audio;rate=1', ''],
	])('knows sound without a header by the media type before it: %s', async (sent, mimeType) => {
		const json = `{"inlineData":{"mimeType":"${sent}","data":"${other.toString('base64')}"}}`;
		const { files } = await readFiles(answerOf(json), collect);
		expect(Object.values(files)).toMatchObject([{ mimeType }]);
	});

	it('leaves the rest of the JSON unchanged', async () => {
		const value = {
			created: 1,
			'a "quoted" key\\': 'ends with a backslash \\',
			texts: ['', '\\"', '漢字 👩‍👩‍👧 \u2028', '\\'.repeat(9), 'short'.repeat(3), 'no base64! '.repeat(1_600)],
			data: [image, other].map((file) => ({ b64_json: file.toString('base64'), prompt: 'He said "a/b"' })),
		};
		for (const longest of [2, 50, 100_000]) {
			const { body, files } = await readFiles(answerOf(JSON.stringify(value), longest), collect);
			expect(Object.values(files).map(({ bytes }) => bytes)).toEqual([image, other]);
			const data = Object.keys(files).map((key) => ({ b64_json: key, prompt: 'He said "a/b"' }));
			expect(body).toEqual({ ...value, data });
		}
	});

	it.each([
		['that is cut off in the file', `{"data":[{"b64_json":"${image.toString('base64')}`, /cut off/],
		['that is cut off in an escape sequence', `{"a":"\\u00`, /cut off/],
		['that is empty', '', /empty/],
		['that is a web page', '<!doctype html><p class="x">Sign in', /web page/],
	])('fails for a response %s', async (_what, text, message) => {
		await expect(readFiles(answerOf(text), collect)).rejects.toMatchObject({
			kind: expect.stringMatching(/answer|address/),
			message: expect.stringMatching(message),
		});
	});

	it.each([
		['that cannot be read', (json: string) => `${json}\n${json}`],
		['that is cut off', (json: string) => json.slice(0, -1)],
		['that is an error about something', (json: string) => `{"id":7,"error":{"message":"No"},"of":${json}}`],
	])('keeps what a response with files begins with as it was sent, of one %s', async (_what, sent) => {
		const text = sent(JSON.stringify({ audio: image.toString('base64'), note: '漢字' }));
		await expect(readFiles(answerOf(text), collect)).rejects.toMatchObject({
			facts: { partial: { answer: text } },
		});
	});

	it('does not take the error beside a file that is the result for a failure', async () => {
		const text = JSON.stringify({ error: { message: 'No' }, audio: image.toString('base64') });
		const isResult = (body: unknown, isKey: (text: string) => boolean) =>
			isKey((body as { audio: string }).audio);
		const { files, sent } = await readJsonWithFiles(answerOf(text), collect, isResult);
		expect(Object.values(files)).toHaveLength(1);
		expect(sent?.toString()).toBe(text);
		const without = await readFiles(answerOf('{"audio":"none"}'), collect);
		expect(without.sent).toBeUndefined();
		const failing = readJsonWithFiles(answerOf('{"error":{"message":"No"},"audio":"x"}'), collect, isResult);
		await expect(failing).rejects.toThrow('No');
	});

	it('keeps what has arrived of a response that breaks off as it was sent', async () => {
		const text = `{"audio":"${image.toString('base64')}","note":"`;
		const reading = readFiles(answerOf(text, 5_000, 1, new Error('Lost')), collect);
		await expect(reading).rejects.toMatchObject({ facts: { partial: { answer: text } } });
	});

	it('ends a response with a file that never ends', async () => {
		jest.replaceProperty(STREAM_BYTES, 'image', 60_000);
		jest.replaceProperty(JSON_BUDGET, 'bytes', 20_000);
		let chunks = 0;
		const body = Readable.from(
			(function* () {
				yield Buffer.from('{"b64_json":"');
				for (; chunks < 1_000; chunks++) yield Buffer.alloc(1_000, 'A');
			})(),
		);
		const reading = readFiles({ status: 200, headers: {}, url: 'http://gateway/', body }, collect);
		await expect(reading).rejects.toThrow('longer than');
		expect(chunks).toBeLessThan(200);
		jest.restoreAllMocks();
	});

	it('leaves a long text of white space in the JSON', async () => {
		for (const letter of ['', 'E']) {
			const json = JSON.stringify({ b64_json: `   ${letter}${' '.repeat(20_000)}` });
			const { body, files } = await readFiles(answerOf(json, 1_000), collect);
			expect(JSON.stringify(body)).toBe(json);
			expect(files).toEqual({});
		}
	});
});

describe('fileOfText', () => {
	it('takes long hexadecimal digits for bytes, but not for Base64', async () => {
		const hex = Buffer.from('GIF89a'.repeat(2_000)).toString('hex');
		expect(fileOfText(hex.slice(0, 64))?.bytes.toString()).toMatch(/^GIF89aGIF/);
		expect(fileOfText(`data:;base64,${hex.slice(0, 64)}`)?.bytes).toHaveLength(48);
		expect(fileOfText(hex.slice(0, 62))?.bytes.toString()).not.toMatch(/^GIF/);
		const { files } = await readFiles(answerOf(JSON.stringify({ audio: hex }), 999), collect);
		expect(Object.values(files)[0].bytes.toString()).toBe('GIF89a'.repeat(2_000));
	});
});
