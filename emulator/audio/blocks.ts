const blockBytes = 16 * 1024;

/** Joins the many small pieces of an audio file into blocks that are worth sending. */
export function* blocks(pieces: Iterable<Buffer>): Generator<Buffer> {
	let waiting: Buffer[] = [];
	let bytes = 0;
	for (const piece of pieces) {
		waiting.push(piece);
		bytes += piece.length;
		if (bytes < blockBytes) continue;
		yield Buffer.concat(waiting);
		waiting = [];
		bytes = 0;
	}
	yield Buffer.concat(waiting);
}
