import { PassThrough, Readable } from 'node:stream';
import { peekBytes, readBytes } from '../../../nodes/shared/http/byteStream';

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
