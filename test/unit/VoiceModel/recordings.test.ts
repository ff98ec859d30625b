import { buffer } from 'node:stream/consumers';
import { Busboy } from '@fastify/busboy';
import { multipartBody, type FormPart } from '../../../nodes/VoiceModel/voiceForm';
import { streamFrom, type ByteStream } from '../../../nodes/shared/answer/byteStream';

const bytesOf = async (content: string | ByteStream) =>
	typeof content === 'string' ? Buffer.from(content) : await buffer(content);

/** What a third-party parser reads from a form. */
async function parsed(contentType: string, bytes: Buffer): Promise<string[]> {
	const found: Array<Promise<string>> = [];
	const parser = new Busboy({ headers: { 'content-type': contentType }, preservePath: true });
	parser.on('field', (name, value) => found.push(Promise.resolve(`${name}=${value}`)));
	parser.on('file', (name, content, fileName, _encoding, type) => {
		const file = buffer(content).then((all) => `${name}=${fileName}|${type}|${all.toString('latin1')}`);
		found.push(file);
	});
	await new Promise((resolve, reject) => parser.on('finish', resolve).on('error', reject).end(bytes));
	return await Promise.all(found);
}

/** A stream with these pieces. */
const streamOf = (...texts: string[]) => streamFrom(texts.map((text) => Buffer.from(text, 'latin1')));

const PARTS: FormPart[] = [
	{ field: 'name', text: '声音 "ä"\r\nline' },
	{ field: 'empty', text: '' },
	{
		field: 'audio_files',
		fileName: 'a "b"\r\nx: y\r\n.wav',
		contentType: 'audio/wav',
		source: { size: 6, identity: 'a', open: async () => streamOf('\x00\xff\r', '\n--') },
	},
	{
		field: 'audio_files',
		fileName: '录音.wav',
		contentType: 'audio/wav',
		source: { size: 3, identity: 'b', open: async () => Buffer.from('abc') },
	},
];

describe('Multipart body', () => {
	it('is read part by part by a third-party parser, and has the right length', async () => {
		const body = multipartBody(PARTS);
		const bytes = await bytesOf(body.open());
		expect(body.length).toBe(bytes.length);
		const expected = [
			'name=声音 "ä"\r\nline',
			'empty=',
			'audio_files=a %22b%22%0D%0Ax: y%0D%0A.wav|audio/wav|\x00\xff\r\n--',
			'audio_files=录音.wav|audio/wav|abc',
		];
		expect((await parsed(body.contentType, bytes)).sort()).toEqual(expected.sort());
		// It is opened again for each attempt.
		expect(await bytesOf(body.open())).toEqual(bytes);
	});

	it('is the same in a retry, and has another boundary if anything in it differs', () => {
		const typeOf = (parts: FormPart[]) => multipartBody(parts).contentType;
		const [name, ...others] = PARTS;
		const different = [[{ ...name, text: 'other' }, ...others], others, [...others, name]] as FormPart[][];
		expect(typeOf(PARTS)).toBe(typeOf([...PARTS]));
		expect(new Set([PARTS, ...different].map(typeOf)).size).toBe(4);
	});

	it('breaks off when a file is not readable, and closes its file when it is destroyed', async () => {
		const bodyWith = (open: () => Promise<ByteStream>) =>
			multipartBody([{ ...PARTS[3], source: { size: 3, identity: 'c', open } }]).open();
		const gone = async () => await Promise.reject(new Error('gone'));
		await expect(bytesOf(bodyWith(gone))).rejects.toThrow('gone');

		const file = streamOf('a', 'b', 'c');
		let seen = 0;
		for await (const chunk of bodyWith(async () => file)) {
			expect(chunk).toBeDefined();
			if (++seen === 2) break;
		}
		expect(file.destroyed).toBe(true);
	});
});
