/** Reads the structure of an audio file that arrives in chunks of any size, with little memory. */
export abstract class AudioScanner {
	protected readonly window = new ByteWindow();

	/** Reads the next bytes of the file. */
	add(chunk: Buffer): void {
		this.window.push(chunk);
		this.advance();
	}

	/** Marks the end of the file. */
	end(): void {
		this.window.end();
		this.advance();
	}

	/** Duration in seconds. Final after {@link end}; undefined when the file does not reveal it. */
	abstract get seconds(): number | undefined;

	/** Reads one piece. @returns false when it needs more bytes first, or nothing more is of interest */
	protected abstract step(): boolean;

	private advance(): void {
		while (this.step());
	}
}

/**
 * The part of a file that a scanner looks at while the file arrives. It keeps the bytes that were peeked at, and never
 * those that were skipped.
 */
class ByteWindow {
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

	/** Marks the end of the file. */
	end(): void {
		this.hasEnded = true;
	}

	get ended(): boolean {
		return this.hasEnded;
	}

	/** How many bytes of the file have arrived. */
	get fileLength(): number {
		return this.arrived;
	}

	/** Offset of the window in the file; beyond the bytes that have arrived while a skip is in progress. */
	get position(): number {
		return this.arrived - this.bytes.length + this.toSkip;
	}

	/** The bytes of the window that have arrived. */
	get available(): Buffer {
		return this.bytes;
	}

	/**
	 * The next bytes, which stay in the window.
	 *
	 * @returns undefined until all of them have arrived; fewer than `count` only at the end of the file
	 */
	peek(count: number): Buffer | undefined {
		const complete = this.bytes.length >= count && this.toSkip === 0;
		return complete || this.hasEnded ? this.bytes.subarray(0, count) : undefined;
	}

	/** Moves the window forward, also beyond the bytes that have arrived. */
	skip(count: number): void {
		const here = Math.min(count, this.bytes.length);
		this.bytes = this.bytes.subarray(here);
		this.toSkip += count - here;
	}
}
