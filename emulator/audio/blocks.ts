const blockBytes = 16 * 1024;

/** Joins the many small chunks of an audio file into blocks of at least 16 KiB. */
export function* blocks(chunks: Iterable<Buffer>): Generator<Buffer> {
	let waiting: Buffer[] = [];
	let bytes = 0;
	for (const chunk of chunks) {
		waiting.push(chunk);
		bytes += chunk.length;
		if (bytes < blockBytes) continue;
		yield Buffer.concat(waiting);
		waiting = [];
		bytes = 0;
	}
	yield Buffer.concat(waiting);
}
