import { Readable } from 'node:stream';
import { readJsonWithFiles, fileOfText, type InlineFile } from '../../../nodes/Image/filesInJson';
import type { Answer } from '../../../nodes/shared/http/answerReaders';

/** Numbers that are the same in each run. */
function randomNumbers(seed: number): () => number {
	let state = seed;
	return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

const bytesOf = (length: number, seed = 1) => {
	const random = randomNumbers(seed);
	return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
};

/** An answer that arrives in pieces of random length up to `most` bytes. */
function answerOf(text: string, most = 5_000, seed = 1): Answer {
	const random = randomNumbers(seed);
	const bytes = Buffer.from(text);
	const chunks: Buffer[] = [];
	for (let start = 0; start < bytes.length;) {
		const end = start + 1 + Math.floor(random() * most);
		chunks.push(bytes.subarray(start, end));
		start = end;
	}
	const body = Readable.from(chunks, { objectMode: false });
	const redact = (text: string) => text.replaceAll('secret', '[API key]');
	return {
		status: 200,
		headers: { 'content-type': 'application/json' },
		url: 'http://gateway/',
		body,
		redact,
	};
}

async function collect({ mimeType, bytes }: InlineFile) {
	const chunks: Buffer[] = [];
	for await (const chunk of bytes) chunks.push(chunk);
	return { mimeType, bytes: Buffer.concat(chunks) };
}

const image = bytesOf(13_001);

test.each<[string, (base64: string) => string, string]>([
	['plain', (base64) => base64, ''],
	['as a data URI', (base64) => `data:image/png;base64,${base64}`, 'image/png'],
	['as a data URI with parameters', (base64) => `data:image/webp;q=1;base64,${base64}`, 'image/webp'],
	['without padding', (base64) => base64.replace(/=+$/, ''), ''],
	['in the letters for URLs', (base64) => base64.replaceAll('+', '-').replaceAll('/', '_'), ''],
	['broken into lines', (base64) => base64.replace(/.{76}/g, '$&\n'), ''],
])('a long base64 text is decoded, %s, whatever the chunks', async (_how, write, mimeType) => {
	for (const length of [12_999, 13_000, 13_001]) {
		const bytes = image.subarray(0, length);
		for (const most of [11, 700, 70_000]) {
			const json = JSON.stringify({ data: [{ b64_json: write(bytes.toString('base64')) }] });
			const { body, files } = await readJsonWithFiles(answerOf(json, most, length), collect);
			const [[key, file]] = [...files];
			expect(body).toEqual({ data: [{ b64_json: key }] });
			expect(file.mimeType).toBe(mimeType);
			expect(file.bytes.equals(bytes)).toBe(true);
		}
	}
});

test('escaped slashes and plus signs are read, wherever a chunk ends', async () => {
	const json = JSON.stringify({ url: `data:image/png;base64,${image.toString('base64')}` })
		.replaceAll('/', '\\/')
		.replaceAll('+', '\\u002B');
	for (const most of [3, 20, 10_000]) {
		const { files } = await readJsonWithFiles(answerOf(json, most, most), collect);
		const [file] = files.values();
		expect(file.mimeType).toBe('image/png');
		expect(file.bytes.equals(image)).toBe(true);
	}
});

test('everything else of the JSON stays as it was', async () => {
	const value = {
		created: 1,
		'a "quoted" key\\': 'ends with a backslash \\',
		texts: ['', '\\"', '漢字 👩‍👩‍👧 \u2028', '\\'.repeat(9), 'short'.repeat(3), 'no base64! '.repeat(1_600)],
		data: [{ b64_json: image.toString('base64'), revised_prompt: 'He said "a/b"' }, { url: 'https://x/y' }],
	};
	for (const most of [2, 50, 100_000]) {
		const { body, files } = await readJsonWithFiles(answerOf(JSON.stringify(value), most), collect);
		const [key] = files.keys();
		expect(files.size).toBe(1);
		expect(body).toEqual({
			...value,
			data: [{ b64_json: key, revised_prompt: 'He said "a/b"' }, value.data[1]],
		});
	}
});

test('the JSON is cleared of the key', async () => {
	const { body } = await readJsonWithFiles(answerOf('{"prompt":"key secret"}', 3), collect);
	expect(body).toEqual({ prompt: 'key [API key]' });
});

test('several files of one answer keep their order', async () => {
	const images = [1, 2, 3].map((seed) => bytesOf(20_000 + seed, seed));
	const json = JSON.stringify({ data: images.map((bytes) => ({ b64_json: bytes.toString('base64') })) });
	const { files } = await readJsonWithFiles(answerOf(json), collect);
	expect([...files.values()].map(({ bytes }, index) => bytes.equals(images[index]))).toEqual([
		true,
		true,
		true,
	]);
});

test.each([
	['is cut off in the file', `{"data":[{"b64_json":"${image.toString('base64')}`, /cut off/],
	[
		'holds something else further on in the file',
		`{"b64_json":"${image.toString('base64')}<html>"}`,
		/not valid base64/,
	],
	['is cut off in an escape', `{"a":"\\u00`, /cut off/],
	['is empty', '', /empty/],
	['is a page', '<!doctype html><p class="x">Sign in', /web page/],
])('an answer that %s is a clear failure', async (_how, text, message) => {
	await expect(readJsonWithFiles(answerOf(text), collect)).rejects.toMatchObject({
		kind: expect.stringMatching(/answer|address/),
		message: expect.stringMatching(message),
	});
});

test('hostile runs of backslashes and quotes are read in time', async () => {
	const text = `${'\\\\'.repeat(500_000)}${'\\"'.repeat(500_000)}`;
	const { body } = await readJsonWithFiles(answerOf(`{"a":"${text}"}`, 60_000), collect);
	expect((body as { a: string }).a).toHaveLength(1_000_000);
});

test('what the store throws ends the reading', async () => {
	const answer = answerOf(JSON.stringify({ b64_json: image.toString('base64') }), 100);
	const store = async () => await Promise.reject(new Error('disk full'));
	await expect(readJsonWithFiles(answer, store)).rejects.toThrow('disk full');
});

test('short texts are decoded afterwards, if they are base64', () => {
	expect(fileOfText(`data:image/gif;base64,${Buffer.from('GIF89a').toString('base64')}`)).toEqual({
		mimeType: 'image/gif',
		bytes: Buffer.from('GIF89a'),
	});
	expect(fileOfText('R0lGODlh')).toEqual({ mimeType: '', bytes: Buffer.from('GIF89a') });
	expect(fileOfText('https://example.com/a.png')).toBeUndefined();
	expect(fileOfText('data:image/svg+xml,%3Csvg%3E')).toBeUndefined();
	expect(fileOfText('')).toBeUndefined();
});
