import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';

/** What a hostile gateway answers to every request. */
interface HostileAnswer {
	status?: number;
	type: string;
	headers?: Record<string, string>;
	/** The body in pieces; it may be endless. */
	body: (request: IncomingMessage) => Iterable<string | Buffer>;
	encoding?: 'gzip' | 'deflate' | 'br';
}

const MB = 1_000_000;

/** A text over and over, until it has this many bytes. */
function* repeated(piece: string, bytes: number): Generator<string> {
	const times = Math.max(1, Math.floor(65_536 / piece.length));
	const block = piece.repeat(times);
	for (let sent = 0; sent < bytes; sent += block.length) yield block;
}

function* between(start: string, middle: Iterable<string>, end: string): Generator<string> {
	yield start;
	yield* middle;
	yield end;
}

function* numbered(count: number, entry: (index: number) => string): Generator<string> {
	for (let index = 0; index < count; index++) yield entry(index);
}

const json = (body: () => Iterable<string>): HostileAnswer => ({ type: 'application/json', body });
const stream = (body: () => Iterable<string>): HostileAnswer => ({ type: 'text/event-stream', body });
const delta = (value: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: value }] })}\n\n`;
const error = (message: () => Iterable<string>, status: number): HostileAnswer => ({
	...json(() => between('{"error":{"type":"x","message":"', message(), '"}}')),
	status,
});
const silence = () => repeated('\0', 3_000 * MB);

/** Bodies that a whole answer may have. */
export const WHOLE: Record<string, HostileAnswer> = {
	'64 MB of {}': json(() => between('{"data":[{}', repeated(',{}', 64 * MB), ']}')),
	'30 MB of {}': json(() => between('{"data":[{}', repeated(',{}', 30 * MB), ']}')),
	'30 MB of open lists': json(() => repeated('[', 30 * MB)),
	'30 MB of white space': json(() => repeated(' ', 30 * MB)),
	'30 MB of escapes': json(() => between('{"data":"', repeated('\\u4e2d', 30 * MB), '"}')),
	'30 MB of quotes': json(() => between('{"data":"', repeated('\\"', 30 * MB), '"}')),
	'30 MB of one word': json(() => repeated('x', 30 * MB)),
	'30 MB of numbers': json(() => between('{"data":[1', repeated(',1', 30 * MB), ']}')),
	'400,000 objects': json(() => between('{"data":[{"id":""}', repeated(',{"id":""}', 2 * MB), ']}')),
	'200,000 names': json(() =>
		between(
			'{"data":{"":1',
			numbered(200_000, (index) => `,"n${index}":1`),
			'}}',
		),
	),
	'the same list under each name': json(() => {
		const list = `[{}${',{}'.repeat(9_000)}]`;
		const names = ['results', 'choices', 'content', 'candidates', 'voice_characters', 'embeddings'];
		return [`{"data":${list},"total":1,${names.map((name) => `"${name}":${list}`).join()}}`];
	}),
	'40 MB of a vector': json(() =>
		between('{"data":[{"index":0,"embedding":"', repeated('AACAPw', 40 * MB), '"}]}'),
	),
	'3 GB of JSON in 3 MB': { ...json(() => between('["', repeated('a', 3_000 * MB), '"]')), encoding: 'gzip' },
	'3 GB of JSON, deflated': { ...json(() => repeated(' ', 3_000 * MB)), encoding: 'deflate' },
	'3 GB of text, Brotli': { type: 'text/plain', body: () => repeated('a', 3_000 * MB), encoding: 'br' },
	'3 GB of sound in 3 MB': { type: 'audio/mpeg', body: silence, encoding: 'gzip' },
	'3 GB of image in 3 MB': { type: 'image/png', body: silence, encoding: 'gzip' },
	'3 GB of image in JSON': {
		...json(() => between('{"data":[{"b64_json":"', repeated('AAAA', 3_000 * MB), '"}]}')),
		encoding: 'gzip',
	},
	'an error of 400 kB of <': error(() => repeated('<', 400_000), 400),
	'an error of 64 MB': error(() => repeated('<', 64 * MB), 500),
	'an error page of 64 MB': { status: 502, type: 'text/html', body: () => repeated('<html ', 64 * MB) },
	'an error of 30 MB with status 200': error(() => repeated('<a ', 30 * MB), 200),
	'a web page of 30 MB': { type: 'text/html', body: () => between('<?xml', repeated('<?xml ', 30 * MB), '') },
	'large headers': {
		...json(() => ['{}']),
		headers: { 'x-request-id': 'r'.repeat(7_000), 'retry-after': '9'.repeat(4_000) },
	},
};

/** Event streams of chats. */
export const STREAMS: Record<string, HostileAnswer> = {
	'250 MB of data lines': stream(() => repeated('data:\n', 250 * MB)),
	'250 MB of events': stream(() => repeated('data:{}\n\n', 250 * MB)),
	'250 MB of comments': stream(() => repeated(': ping\n\n', 250 * MB)),
	'250 MB of carriage returns': stream(() => repeated('\r', 250 * MB)),
	'one line of 250 MB': stream(() => between('data: ', repeated('{', 250 * MB), '')),
	'one event of 15 MB of {}': stream(() =>
		between('data: {"choices":[{}', repeated(',{}', 15 * MB), ']}\n\n'),
	),
	'30,000 tool calls': stream(() =>
		numbered(30_000, (index) =>
			delta({ tool_calls: [{ index, id: `c${index}`, function: { arguments: '1' } }] }),
		),
	),
	'300,000 choices': stream(() =>
		numbered(300_000, (index) => `data: {"choices":[{"index":${index},"delta":{"content":"a"}}]}\n\n`),
	),
	'300,000 fields': stream(() => numbered(300_000, (index) => delta({ [`field${index}`]: index }))),
	'endless lists': stream(() => repeated(delta({ list: [[], [], [], []] }), 120 * MB)),
	'an endless text': stream(() => repeated(delta({ content: 'word ' }), 250 * MB)),
	'an error of 15 MB': stream(() =>
		between('data: {"error":{"message":"', repeated('<', 15 * MB), '"}}\n\n'),
	),
	'3 GB of comments in 3 MB': { ...stream(() => repeated(': ping\n', 3_000 * MB)), encoding: 'gzip' },
};

const COMPRESSORS = { gzip: createGzip, deflate: createDeflate, br: createBrotliCompress };

/** Sends an answer until it is complete or nobody wants the rest. */
export async function send(
	{ status = 200, type, headers, body, encoding }: HostileAnswer,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	request.resume();
	response.writeHead(status, {
		'content-type': type,
		...headers,
		...(encoding ? { 'content-encoding': encoding } : {}),
	});
	const content = Readable.from(body(request), { objectMode: false, highWaterMark: 65_536 });
	try {
		if (encoding) await pipeline(content, COMPRESSORS[encoding](), response);
		else await pipeline(content, response);
	} catch {
		response.destroy();
	}
}
