import { Readable } from 'node:stream';
import { text as read } from 'node:stream/consumers';
import { EmbeddedFile, jsonBody, type FileSource } from '../../../nodes/shared/send/requestBody';
import { seededRandom } from '../seededRandom';

const random = seededRandom(1);

/** A file of random bytes in chunks of random sizes. */
function fileOf(bytes: Buffer, size: number | undefined = bytes.length): FileSource {
	return {
		size,
		identity: 'file',
		open: async () => {
			const chunks: Buffer[] = [];
			for (let start = 0; start < bytes.length;) {
				const end = start + 1 + Math.floor(random() * 50);
				chunks.push(bytes.subarray(start, end));
				start = end;
			}
			return Readable.from(chunks, { objectMode: false });
		},
	};
}

async function textOf(body: ReturnType<typeof jsonBody>): Promise<string> {
	const content = body.open();
	return typeof content === 'string' ? content : await read(content);
}

const bytesOf = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

describe('JSON body', () => {
	it('contains files of any size and chunking as Base64', async () => {
		const bodyOf = (files: unknown[]) => ({ note: '“quoted” — 漢字 \u2028', images: files });
		for (let round = 0; round < 100; round++) {
			const [one, two] = [round, round * 7].map(bytesOf);
			const prefix = 'data:image/png;base64,';
			const body = jsonBody(bodyOf([new EmbeddedFile(fileOf(one)), new EmbeddedFile(fileOf(two), prefix)]));
			const text = await textOf(body);
			const texts = [one.toString('base64'), prefix + two.toString('base64')];
			expect(JSON.parse(text)).toEqual(bodyOf(texts));
			expect(body.length).toBe(Buffer.byteLength(text));
		}
	});

	it('is created again for each attempt and has an unknown length when the size of a file is unknown', async () => {
		const bytes = bytesOf(1000);
		const body = jsonBody([new EmbeddedFile({ size: undefined, identity: 'file', open: async () => bytes })]);
		expect(body.length).toBeUndefined();
		expect(await textOf(body)).toBe(await textOf(body));
	});
});

describe('The identity of a JSON body', () => {
	const fileWith = (identity: string, prefix?: string) =>
		new EmbeddedFile({ size: 1, identity, open: async () => Buffer.from('a') }, prefix);

	it('is its text, in which files are named instead of read', () => {
		expect(jsonBody({ a: 'ü' }).identity()).toBe('{"a":"ü"}');
		expect(jsonBody({ a: 'ü' }).length).toBe(10);
		expect(jsonBody([fileWith('one'), 'b', fileWith('two', 'data:,')]).identity()).toBe(
			'["\0one\0","b","\0data:,two\0"]',
		);
	});
});

describe('A text with half of a surrogate pair', () => {
	it('is sent well-formed wherever it is in a request, and any other text as it is', () => {
		const sent = jsonBody({ '\ud83e': ['a\udd8a', { b: '🦊 \\ud83e "é"' }] }).open() as string;
		expect(JSON.parse(sent)).toEqual({ '\ufffd': ['a\ufffd', { b: '🦊 \\ud83e "é"' }] });
	});
});
