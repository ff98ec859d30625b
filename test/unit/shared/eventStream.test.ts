import { readEvents, readJsonEvents, type StreamEvent } from '../../../nodes/shared/http/eventStream';

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

test.each(['\n', '\r\n', '\r'])('line end %j, chunks of 1 to 40 bytes', async (lineEnd) => {
	for (let size = 1; size <= 40; size++) {
		const events = await collect(readEvents(inChunks(STREAM.replaceAll('\n', lineEnd), size)));
		expect(events).toEqual(EVENTS);
	}
});

test.each([
	['once', 'data: {"a":1}\n\ndata: [DONE]\n\n', [{ a: 1 }, '[DONE]']],
	['twice', 'data: {"a":1}\n\ndata: [DONE]\n\ndata: [DONE]\n\n', [{ a: 1 }, '[DONE]']],
	['never', 'data: {"a":1}\n\n', [{ a: 1 }]],
	[
		'after junk',
		'data: keep-alive\n\ndata: {"a":1}\n\ndata: [DONE]\n\ndata: {"a":2}\n\n',
		[{ a: 1 }, '[DONE]'],
	],
])('[DONE] %s', async (_name, stream, events) => {
	await expect(collect(readJsonEvents(inChunks(stream, 5)))).resolves.toEqual(events);
});

test('the messages format ends at message_stop', async () => {
	const stream = 'event: message_stop\ndata: {"type":"message_stop"}\n\ndata: {"a":2}\n\n';
	await expect(collect(readJsonEvents(inChunks(stream, 3)))).resolves.toEqual([{ type: 'message_stop' }]);
});

test('an error inside the stream is a failure that keeps what the gateway said', async () => {
	const stream = 'data: {"a":1}\n\ndata: {"error":{"message":"model overheated","type":"server_error"}}\n\n';
	await expect(collect(readJsonEvents(inChunks(stream, 100)))).rejects.toMatchObject({
		kind: 'answer',
		facts: { gatewayMessage: 'model overheated', mayHaveBeenCarriedOut: true },
	});
});

test('a stream that breaks hands its error on', async () => {
	async function* broken() {
		yield Buffer.from('data: {"a":1}\n\n');
		throw new Error('aborted');
	}
	await expect(collect(readJsonEvents(broken()))).rejects.toThrow('aborted');
});

test('a line that goes on and on is read once, and given up at 16 million characters', async () => {
	async function* pieces() {
		const piece = Buffer.alloc(500, 'x');
		for (let index = 0; index < 40_000; index++) yield piece;
	}
	const read = async () => {
		for await (const event of readEvents(pieces())) expect(event).toBeUndefined();
	};
	await expect(read()).rejects.toThrow('one event of its stream is too long');
});
