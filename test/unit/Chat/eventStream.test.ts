import { readEvents, readJsonEvents, type StreamEvent } from '../../../nodes/Chat/formats/eventStream';
import type { ErrorEvent } from '../../../nodes/Chat/formats/streamError';
import { brokenStream } from '../brokenStream';

async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
	const bytes = Buffer.from(text);
	for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size);
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const value of values) all.push(value);
	return all;
}

const STREAM =
	': PING\n\nevent: delta\ndata: {"text":"héllo 你好 👩‍👩‍👧"}\n\ndata: one\ndata: two\n\nid: 7\ndata\n\ndata: last';
const EVENTS: StreamEvent[] = [
	{ event: 'delta', data: '{"text":"héllo 你好 👩‍👩‍👧"}' },
	{ event: undefined, data: 'one\ntwo' },
	{ event: undefined, data: '' },
	{ event: undefined, data: 'last' },
];

describe('Event streams', () => {
	it.each(['\n', '\r\n', '\r'])(
		'read the same events with line end %j, in chunks of 1 to 40 bytes',
		async (lineEnd) => {
			for (let size = 1; size <= 40; size++) {
				const events = await collect(readEvents(inChunks(STREAM.replaceAll('\n', lineEnd), size)));
				expect(events).toEqual(EVENTS);
			}
		},
	);

	it.each([
		['once', 'data: {"a":1}\n\ndata: [DONE]\n\n', [{ a: 1 }, '[DONE]']],
		['twice', 'data: {"a":1}\n\ndata: [DONE]\n\ndata: [DONE]\n\n', [{ a: 1 }, '[DONE]']],
		['never', 'data: {"a":1}\n\n', [{ a: 1 }]],
		[
			'after events that are not JSON',
			'data: keep-alive\n\ndata: {"a":1}\n\ndata: [DONE]\n\ndata: {"a":2}\n\n',
			[{ a: 1 }, '[DONE]'],
		],
	])('end correctly with [DONE] %s', async (_name, stream, events) => {
		await expect(collect(readJsonEvents(inChunks(stream, 5)))).resolves.toEqual(events);
	});

	it('end at message_stop in the messages format', async () => {
		const stream = 'event: message_stop\ndata: {"type":"message_stop"}\n\ndata: {"a":2}\n\n';
		await expect(collect(readJsonEvents(inChunks(stream, 3)))).resolves.toEqual([{ type: 'message_stop' }]);
	});

	it('turn an error in the stream into a failure that keeps the words of the gateway', async () => {
		const stream = 'data: {"a":1}\n\ndata: {"error":{"message":"model overheated","type":"unknown"}}\n\n';
		const [first, error] = await collect(readJsonEvents(inChunks(stream, 100)));
		expect(first).toEqual({ a: 1 });
		expect((error as ErrorEvent).toFailure(true)).toMatchObject({
			kind: 'answer',
			facts: { gatewayMessage: 'model overheated', mayHaveBeenCarriedOut: true },
		});
	});

	it('pass on the error of a stream that breaks', async () => {
		const broken = brokenStream(new Error('aborted'), 'data: {"a":1}\n\n');
		await expect(collect(readJsonEvents(broken))).rejects.toThrow('aborted');
	});

	it('read an endless line once and give up at 16 million characters', async () => {
		async function* pieces() {
			const piece = Buffer.alloc(500, 'x');
			for (let index = 0; index < 40_000; index++) yield piece;
		}
		const read = async () => {
			for await (const event of readEvents(pieces())) expect(event).toBeUndefined();
		};
		await expect(read()).rejects.toThrow('an event in it is too long');
	});
});
