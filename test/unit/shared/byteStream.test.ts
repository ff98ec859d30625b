import { PassThrough, Readable } from 'node:stream';
import { peekBytes, readBytes } from '../../../nodes/shared/http/byteStream';

const streams: Array<[string, () => Readable]> = [
	['a stream of whole chunks', () => Readable.from([Buffer.from('abc')])],
	['a stream that has ended already', () => new PassThrough().end('abc')],
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

test.each(streams)('%s still gives everything after a look at its beginning', async (_what, make) => {
	const stream = make();
	expect((await peekBytes(stream)).toString()).toMatch(/^a/);
	expect((await peekBytes(stream)).toString()).toMatch(/^a/);
	expect((await readBytes(stream, 100)).toString()).toBe('abc');
});

test('an empty stream has no beginning', async () => {
	expect(await peekBytes(Readable.from([]))).toEqual(Buffer.alloc(0));
	expect(await peekBytes(new PassThrough().end())).toEqual(Buffer.alloc(0));
});
