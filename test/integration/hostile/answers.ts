import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

/** An answer of a hostile gateway. */
interface HostileAnswer {
	type: string;
	/** Yields the body in pieces, possibly without end. */
	body: () => Iterable<string>;
	encoding?: 'gzip';
}

const MB = 1_000_000;
/** The limit of audio in these runs: to pack, send, and store the ordinary 500 MB takes long, and proves no more. */
export const AUDIO_BYTES = 60 * MB;
const BLOCK_BYTES = 65_536;

/** Repeats a text until it has this many bytes. */
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

const json = (body: () => Iterable<string>): HostileAnswer => ({ type: 'application/json', body });
const stream = (body: () => Iterable<string>): HostileAnswer => ({ type: 'text/event-stream', body });

/** The answers of the hostile gateway, by the name in the address. It gives the same one to every request. */
export const ANSWERS: Record<string, HostileAnswer> = {
	'30 MB of quotes': json(() => between('{"data":"', repeated('\\"', 30 * MB), '"}')),
	'15 MB of numbers': json(() => between('{"data":[1', repeated(',1', 15 * MB), ']}')),
	'3 GB of sound in 3 MB': { type: 'audio/mpeg', body: () => repeated('\0', 3_000 * MB), encoding: 'gzip' },
	'250 MB of data lines': stream(() => repeated('data:\n', 250 * MB)),
	'one event of 15 MB of {}': stream(() =>
		between('data: {"choices":[{}', repeated(',{}', 15 * MB), ']}\n\n'),
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

/** Sends an answer until it is complete or the client aborts it. */
export async function send({ type, body, encoding }: HostileAnswer, response: ServerResponse): Promise<void> {
	response.writeHead(200, { 'content-type': type, ...(encoding ? { 'content-encoding': encoding } : {}) });
	const pieces = encoding ? packed(body()) : body();
	try {
		await pipeline(Readable.from(pieces, { objectMode: false, highWaterMark: BLOCK_BYTES }), response);
	} catch {
		response.destroy();
	}
}
