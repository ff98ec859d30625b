/** A file with fewer bytes than this has a header, and nothing else that could be sound. */
export const LONGEST_BARE_HEADER = 1_000;

/** Reads the structure of an audio file that arrives in chunks of any size, and keeps only the bytes that it looks at. */
export abstract class AudioScanner {
	protected arrived = 0;
	protected hasEnded = false;
	private unread: Buffer = Buffer.alloc(0);
	private toSkip = 0;
	/** True if further bytes change nothing but the length of the file. */
	protected isDone = false;
	private readonly reading = this.read();

	add(chunk: Buffer): void {
		this.arrived += chunk.length;
		const skipped = Math.min(this.toSkip, chunk.length);
		this.toSkip -= skipped;
		const fresh = chunk.subarray(skipped);
		this.unread = this.unread.length > 0 ? Buffer.concat([this.unread, fresh]) : fresh;
		this.advance();
	}

	end(): void {
		this.hasEnded = true;
		this.advance();
	}

	async readAll(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
		for await (const chunk of chunks) this.add(chunk);
		this.end();
	}

	/** Duration in seconds. Final after {@link end}, like what follows; undefined when the file does not reveal it. */
	abstract get seconds(): number | undefined;

	/** True if there is a header, or tags, and certainly no sound. */
	abstract get isEmpty(): boolean;

	/** True if players show or play something else than the sound of the file, because of what its header says. */
	abstract get isMisleading(): boolean;

	/** Seconds that the header announces, and that the file does not have. */
	get missingSeconds(): number {
		return 0;
	}

	/** Reads the file, and pauses whenever more bytes have to arrive. */
	protected abstract read(): Generator<void, void>;

	/** The next bytes, which stay unread: all of them, or fewer at the end of the file. */
	protected *peek(count: number): Generator<void, Buffer> {
		while (this.unread.length < count && !this.hasEnded) yield;
		return this.unread.subarray(0, count);
	}

	/** Goes on behind the next bytes, whether they have arrived or not. */
	protected skip(count: number): void {
		const here = Math.min(count, this.unread.length);
		this.unread = this.unread.subarray(here);
		this.toSkip += count - here;
	}

	protected get available(): Buffer {
		return this.unread;
	}

	protected get position(): number {
		return this.arrived - this.unread.length + this.toSkip;
	}

	private advance(): void {
		this.isDone ||= this.reading.next().done === true;
		if (this.isDone) this.unread = Buffer.alloc(0);
	}
}
