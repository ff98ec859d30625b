import { PassThrough, Readable } from 'node:stream';
import {
	ByteCollector,
	decodeText,
	peekBytes,
	readBeginning,
	readBytes,
	readInto,
	TextCollector,
	streamFrom,
	withinSize,
} from '../../../nodes/shared/answer/byteStream';
import { brokenStream } from '../brokenStream';
import { countTurns } from '../countTurns';

const streams: Array<[string, () => Readable]> = [
	['a stream of whole chunks', () => Readable.from([Buffer.from('abc')])],
	['a stream that has already ended', () => new PassThrough().end('abc')],
	['a stream of several chunks', () => Readable.from([Buffer.from('a'), Buffer.from('bc')])],
	[
		'a stream that is still open',
		() => {
			const stream = new PassThrough();
			stream.write('ab');
			setImmediate(() => stream.end('c'));
			return stream;
		},
	],
];

describe('peekBytes', () => {
	it.each(streams)('leaves all bytes of %s to the next reader', async (_what, make) => {
		const stream = make();
		expect((await peekBytes(stream)).toString()).toMatch(/^a/);
		expect((await peekBytes(stream)).toString()).toMatch(/^a/);
		expect((await readBytes(stream, 100)).toString()).toBe('abc');
	});

	it('returns an empty buffer for an empty stream', async () => {
		expect(await peekBytes(Readable.from([]))).toEqual(Buffer.alloc(0));
		expect(await peekBytes(new PassThrough().end())).toEqual(Buffer.alloc(0));
	});
});

const breaking = (...chunks: string[]) => brokenStream(new Error('ECONNRESET'), ...chunks);
const chunksOf = (...sizes: number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size, 'x')));

describe('peekBytes of a broken stream', () => {
	it('fails with its error, and leaves no listeners behind', async () => {
		const stream = new PassThrough();
		const peeking = peekBytes(stream);
		stream.destroy(new Error('ECONNRESET'));
		await expect(peeking).rejects.toThrow('ECONNRESET');
		expect([stream.listenerCount('readable'), stream.listenerCount('end')]).toEqual([0, 0]);
	});

	it('leaves an error that comes later to the next reader', async () => {
		const stream = new PassThrough();
		stream.write('a');
		expect((await peekBytes(stream)).toString()).toBe('a');
		expect([stream.listenerCount('readable'), stream.listenerCount('end')]).toEqual([0, 0]);
		stream.destroy(new Error('ECONNRESET'));
		await new Promise((resolve) => stream.once('close', resolve));
		await expect(readBytes(stream, 100)).rejects.toThrow();
	});
});

describe('A whole stream', () => {
	it('is read to its end, whatever its chunks', async () => {
		const texts = Readable.from(['ü', 'b'], { objectMode: true });
		expect((await readBytes(texts, 100)).toString()).toBe('üb');
		expect(await readBytes(Readable.from([]), 0)).toHaveLength(0);
		const sizes = [1, 16_383, 1, 40_000, 0, 3, 100_000];
		const bytes = await readBytes(Readable.from(sizes.map((size, index) => Buffer.alloc(size, index))), 1e6);
		expect(bytes.equals(Buffer.concat(sizes.map((size, index) => Buffer.alloc(size, index))))).toBe(true);
	});

	it('may have exactly as many bytes as the limit', async () => {
		expect(await readBytes(chunksOf(5, 5), 10)).toHaveLength(10);
		await expect(readBytes(chunksOf(5, 6), 10)).rejects.toThrow('it is longer than 0 MB');
		await expect(readBytes(breaking('a'), 10)).rejects.toThrow('ECONNRESET');
	});
});

describe('The beginning of a stream', () => {
	it('is what arrives, up to the limit, and no more is read', async () => {
		expect((await readBeginning(breaking('ab', 'c'), 10)).toString()).toBe('abc');
		expect(await readBeginning(chunksOf(4, 4), 5)).toHaveLength(5);
		let read = 0;
		const endless = Readable.from(
			(function* () {
				for (;;) {
					read += 1;
					yield Buffer.alloc(10);
				}
			})(),
			{ highWaterMark: 1 },
		);
		expect(await readBeginning(endless, 20)).toHaveLength(20);
		expect(read).toBeLessThan(6);
		expect((await readBeginning(Readable.from(['ü'], { objectMode: true }), 10)).toString()).toBe('ü');
	});
});

describe('Bytes that are collected', () => {
	it('are not copied if there is only one chunk, and not changed by what follows', () => {
		const bytes = new ByteCollector();
		const first = Buffer.from('abc').subarray(0, 1);
		bytes.add(first);
		expect([bytes.length, bytes.all().buffer]).toEqual([1, first.buffer]);
		bytes.add(Buffer.from('z'));
		expect([bytes.all().toString(), first.toString()]).toEqual(['az', 'a']);
	});

	it('need few blocks for many chunks', () => {
		const bytes = new ByteCollector();
		const blocks = new Set<ArrayBufferLike>();
		for (let count = 0; count < 100_000; count++) {
			bytes.add(Buffer.from('x'));
			blocks.add(bytes.all().buffer);
		}
		expect(bytes.length).toBe(100_000);
		// 16 kB, then twice as much each time.
		expect(blocks.size).toBe(5);
	});
});

describe('UTF-8', () => {
	it('is decoded without a byte order mark, and with a mark for invalid bytes', () => {
		expect(decodeText(Buffer.from('\ufeffa'))).toBe('a');
		expect(decodeText(Buffer.from([0xc3]))).toBe('\ufffd');
	});

	it('of a long text is decoded while it arrives, and no character is cut', async () => {
		const read = async (bytes: Buffer, size: number) => {
			const count = Math.ceil(bytes.length / size);
			const chunks = Array.from({ length: count }, (_, index) =>
				bytes.subarray(index * size, (index + 1) * size),
			);
			return await readInto(new TextCollector(1e9), Readable.from(chunks));
		};
		for (const shift of [0, 1, 2, 3]) {
			const text = `\ufeff${'x'.repeat(262_144 - shift)}😀${'ü'.repeat(300_000)}`;
			for (const size of [1_001, 262_144, 1e9]) {
				expect((await read(Buffer.from(text), size)) === text.slice(1)).toBe(true);
			}
		}
		expect(await read(Buffer.from([0x61, 0xc3]), 1)).toBe('a\ufffd');
	});

	it('of a long text has at most as many bytes as its limit', async () => {
		expect(await readInto(new TextCollector(10), chunksOf(5, 5))).toBe('x'.repeat(10));
		await expect(readInto(new TextCollector(10), chunksOf(5, 6))).rejects.toThrow('it is longer than 0 MB');
		await expect(readInto(new TextCollector(10), breaking('a'))).rejects.toThrow('ECONNRESET');
	});

	it('of a long text lets others have their turn', async () => {
		const chunks = chunksOf(...new Array<number>(20).fill(100_000));
		expect(
			await countTurns(async () => await readInto(new TextCollector(1e9), chunks)),
		).toBeGreaterThanOrEqual(10);
	});
});

describe('A stream of generated chunks', () => {
	it('does not end the process when it breaks while nobody listens', async () => {
		const stream = streamFrom(breaking('a'));
		stream.destroy(new Error('ECONNRESET'));
		await new Promise((resolve) => stream.once('close', resolve));
		expect(stream.destroyed).toBe(true);
	});
});

describe('A body within its size', () => {
	const MEGABYTE = 1_000_000;
	const passed = async (megabytes: number, maxBytes: number, statedBytes?: number) => {
		const chunk = Buffer.alloc(MEGABYTE);
		const body = Readable.from(new Array<Buffer>(megabytes).fill(chunk));
		const headers = { 'content-length': statedBytes === undefined ? undefined : String(statedBytes) };
		let bytes = 0;
		try {
			for await (const part of withinSize(body, maxBytes, headers)) bytes += part.length;
		} catch (error) {
			return [bytes / MEGABYTE, (error as Error).message];
		}
		return [bytes / MEGABYTE];
	};

	it('passes through up to its limit', async () => {
		expect(await passed(3, 3 * MEGABYTE)).toEqual([3]);
		expect(await passed(4, 3 * MEGABYTE)).toEqual([3, expect.stringContaining('longer than 3 MB')]);
	});

	it('may be 20 times as long as its stated length, once it is longer than 64 MB', async () => {
		expect(await passed(64, 1e9, 10)).toEqual([64]);
		expect(await passed(70, 1e9, 3.5 * MEGABYTE)).toEqual([70]);
		expect(await passed(71, 1e9, 3.5 * MEGABYTE)).toEqual([
			70,
			expect.stringMatching(/longer than 70 MB, far more than its stated length/),
		]);
		expect(await passed(70, 1e9)).toEqual([70]);
	});
});
