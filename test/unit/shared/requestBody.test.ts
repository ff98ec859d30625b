import { Readable } from 'node:stream';
import { readBytes, streamFrom } from '../../../nodes/shared/http/byteStream';
import { EmbeddedFile, jsonBody, type FileSource } from '../../../nodes/shared/http/requestBody';

/** A file of random bytes in chunks of random sizes. */
function fileOf(bytes: Buffer, size: number | undefined = bytes.length): FileSource {
	return {
		size,
		identity: 'file',
		open: async () => {
			const chunks: Buffer[] = [];
			for (let start = 0; start < bytes.length;) {
				const end = start + 1 + Math.floor(Math.random() * 50);
				chunks.push(bytes.subarray(start, end));
				start = end;
			}
			return Readable.from(chunks, { objectMode: false });
		},
	};
}

async function textOf(body: ReturnType<typeof jsonBody>): Promise<string> {
	const content = body.open();
	return typeof content === 'string' ? content : (await readBytes(content, 1e9)).toString();
}

const bytesOf = (length: number) =>
	Buffer.from(Array.from({ length }, () => Math.floor(Math.random() * 256)));

describe('JSON body', () => {
	it('is plain text without files', () => {
		const body = jsonBody({ a: 'ü', left: undefined });
		expect(body.open()).toBe('{"a":"ü"}');
		expect(body.contentType).toBe('application/json');
	});

	it('contains files of any size and chunking as Base64', async () => {
		for (let round = 0; round < 100; round++) {
			const files = [round, round * 7, 1].map(bytesOf);
			const body = jsonBody({
				note: '“quoted” — 漢字 \u2028',
				images: files.map((bytes, index) => ({
					url: new EmbeddedFile(fileOf(bytes), index === 1 ? 'data:image/png;base64,' : ''),
				})),
			});
			const text = await textOf(body);
			expect(JSON.parse(text)).toEqual({
				note: '“quoted” — 漢字 \u2028',
				images: files.map((bytes, index) => ({
					url: (index === 1 ? 'data:image/png;base64,' : '') + bytes.toString('base64'),
				})),
			});
			expect(body.length).toBe(Buffer.byteLength(text));
		}
	});

	it('is created again for each attempt and has an unknown length when the size of a file is unknown', async () => {
		const bytes = bytesOf(1000);
		const body = jsonBody([new EmbeddedFile({ size: undefined, identity: 'file', open: async () => bytes })]);
		expect(body.length).toBeUndefined();
		expect(await textOf(body)).toBe(await textOf(body));
	});

	it('ends the generator of its stream when the stream is destroyed', async () => {
		let ended = false;
		const stream = streamFrom(
			(async function* () {
				try {
					for (;;) yield Buffer.alloc(1000);
				} finally {
					ended = true;
				}
			})(),
		);
		await new Promise((resolve) => stream.once('readable', resolve));
		stream.destroy();
		await new Promise((resolve) => stream.once('close', resolve));
		expect(ended).toBe(true);
	});
});
