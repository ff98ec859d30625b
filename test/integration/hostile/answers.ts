import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

/** What a hostile gateway answers to every request. */
interface HostileAnswer {
	status?: number;
	type: string;
	/** The body in pieces; it may be endless. */
	body: () => Iterable<string>;
	encoding?: 'gzip';
}

const MB = 1_000_000;
const BLOCK_BYTES = 65_536;

/** A text over and over, until it has this many bytes. */
function* repeated(piece: string, bytes: number): Generator<string> {
	const times = Math.max(1, Math.floor(BLOCK_BYTES / piece.length));
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

/** What it answers to everything, by the name in the address. */
export const ANSWERS: Record<string, HostileAnswer> = {
	'30 MB of quotes': json(() => between('{"data":"', repeated('\\"', 30 * MB), '"}')),
	'15 MB of numbers': json(() => between('{"data":[1', repeated(',1', 15 * MB), ']}')),
	'200,000 names': json(() =>
		between(
			'{"data":{"":1',
			numbered(200_000, (index) => `,"n${index}":1`),
			'}}',
		),
	),
	'3 GB of JSON in 3 MB': { ...json(() => between('["', repeated('a', 3_000 * MB), '"]')), encoding: 'gzip' },
	'3 GB of sound in 3 MB': { type: 'audio/mpeg', body: () => repeated('\0', 3_000 * MB), encoding: 'gzip' },
	'3 GB of image in JSON': {
		...json(() => between('{"data":[{"b64_json":"', repeated('AAAA', 3_000 * MB), '"}]}')),
		encoding: 'gzip',
	},
	'an error of 400 kB of <': {
		...json(() => between('{"error":{"type":"x","message":"', repeated('<', 400_000), '"}}')),
		status: 400,
	},
	'250 MB of data lines': stream(() => repeated('data:\n', 250 * MB)),
	'one event of 15 MB of {}': stream(() =>
		between('data: {"choices":[{}', repeated(',{}', 15 * MB), ']}\n\n'),
	),
	'30,000 tool calls': stream(() =>
		numbered(30_000, (index) =>
			delta({ tool_calls: [{ index, id: `c${index}`, function: { arguments: '1' } }] }),
		),
	),
};

/** Members of a gzip stream, one for each piece. The same piece is packed only once, because gigabytes take long. */
function* packed(pieces: Iterable<string>): Generator<Buffer> {
	const members = new Map<string, Buffer>();
	for (const piece of pieces) {
		const member = members.get(piece) ?? gzipSync(piece);
		members.set(piece, member);
		yield member;
	}
}

/** Sends an answer until it is complete or nobody wants the rest. */
export async function send(
	{ status = 200, type, body, encoding }: HostileAnswer,
	response: ServerResponse,
): Promise<void> {
	response.writeHead(status, { 'content-type': type, ...(encoding ? { 'content-encoding': encoding } : {}) });
	const pieces = encoding ? packed(body()) : body();
	try {
		await pipeline(Readable.from(pieces, { objectMode: false, highWaterMark: BLOCK_BYTES }), response);
	} catch {
		response.destroy();
	}
}
