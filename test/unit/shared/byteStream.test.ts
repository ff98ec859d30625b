import { PassThrough, Readable } from 'node:stream';
import {
	ByteCollector,
	peek,
	readBytes,
	streamFrom,
	withinSize,
} from '../../../nodes/shared/answer/byteStream';
import { brokenStream } from '../brokenStream';

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

const breaking = (...chunks: string[]) => brokenStream(new Error('ECONNRESET'), ...chunks);
const chunksOf = (...sizes: number[]) => Readable.from(sizes.map((size) => Buffer.alloc(size, 'x')));

describe('peek', () => {
	it.each(streams)('passes on all bytes of %s', async (_what, make) => {
		const first = await peek(make(), 1);
		expect(first.firstBytes.toString()).toMatch(/^a/);
		const { firstBytes, body } = await peek(first.body);
		expect(firstBytes.toString()).toBe('abc');
		expect((await readBytes(body, 100)).toString()).toBe('abc');
	});

	it('waits for as many bytes as it needs, and no longer', async () => {
		let count = 0;
		const endless = Readable.from(
			(function* () {
				for (;;) yield Buffer.from(String(count++ % 10));
			})(),
		);
		expect((await peek(endless, 3)).firstBytes.toString()).toBe('012');
		expect(count).toBeLessThan(6);
	});

	it('returns an empty buffer for an empty stream', async () => {
		expect((await peek(Readable.from([]))).firstBytes).toHaveLength(0);
		expect((await peek(new PassThrough().end())).firstBytes).toHaveLength(0);
	});

	it('leaves the error of a broken stream to the next reader, after what had arrived', async () => {
		const { firstBytes, body } = await peek(breaking('a', 'b'));
		expect(firstBytes.toString()).toBe('ab');
		const parts: string[] = [];
		await expect(async () => {
			for await (const part of body) parts.push(String(part));
		}).rejects.toThrow('ECONNRESET');
		expect(parts).toEqual(['ab']);
		await expect(peek(breaking())).rejects.toThrow('ECONNRESET');
	});

	it('leaves an error that comes later to the next reader', async () => {
		const stream = new PassThrough();
		stream.write('a');
		const { body } = await peek(stream, 1);
		stream.destroy(new Error('ECONNRESET'));
		await new Promise((resolve) => stream.once('close', resolve));
		await expect(readBytes(body, 100)).rejects.toThrow('ECONNRESET');
	});
});

describe('A whole stream', () => {
	it('is read to its end, whatever its chunks', async () => {
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
