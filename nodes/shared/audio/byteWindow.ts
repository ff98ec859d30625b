/**
 * The part of a file that a reader looks at while the file passes by: it holds what was peeked at, never what
 * was skipped.
 */
export class ByteWindow {
	private bytes: Buffer = Buffer.alloc(0);
	private toSkip = 0;
	private arrived = 0;
	private hasEnded = false;

	/** Adds the next bytes of the file. */
	push(chunk: Buffer): void {
		this.arrived += chunk.length;
		const skipped = Math.min(this.toSkip, chunk.length);
		this.toSkip -= skipped;
		const rest = chunk.subarray(skipped);
		this.bytes = this.bytes.length > 0 ? Buffer.concat([this.bytes, rest]) : rest;
	}

	/** The file has no more bytes. */
	end(): void {
		this.hasEnded = true;
	}

	get ended(): boolean {
		return this.hasEnded;
	}

	/** Bytes of the file that have arrived. */
	get fileLength(): number {
		return this.arrived;
	}

	/** Where in the file the window begins; behind what has arrived while a skip is under way. */
	get position(): number {
		return this.arrived - this.bytes.length + this.toSkip;
	}

	/** What of the window has arrived. */
	get available(): Buffer {
		return this.bytes;
	}

	/**
	 * The next bytes without taking them.
	 *
	 * @returns undefined while they have not all arrived; fewer than `count` only at the end of the file
	 */
	peek(count: number): Buffer | undefined {
		const complete = this.bytes.length >= count && this.toSkip === 0;
		return complete || this.hasEnded ? this.bytes.subarray(0, count) : undefined;
	}

	/** Moves the window on, also beyond what has arrived. */
	skip(count: number): void {
		const here = Math.min(count, this.bytes.length);
		this.bytes = this.bytes.subarray(here);
		this.toSkip += count - here;
	}
}
