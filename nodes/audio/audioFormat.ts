import type { GatewayFailure } from '../shared/failure/failure';
import { type AudioTags, roundedSeconds } from './audioTags';

/** A file that can be read as often as needed. */
export interface AudioSource {
	/** The failure when it cannot be read or joined. @param what is wrong with its audio, as the rest of a sentence */
	fail(this: void, what: string): GatewayFailure;
	/** Length in bytes; undefined when it is not known. */
	size?: number;
	open(): Promise<AsyncIterable<Buffer>> | AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Sound in a joined file: that of a file, which is read again when it is written, or silence. */
export interface Sound {
	/** Names what all sounds of a file must have in common, for messages: "24000 Hz, 1 channel". */
	kind: string;
	seconds: number;
	/** Says what is wrong with the file, although it can be joined, as the rest of a sentence. */
	problem?: string;
}

/** Headers may be wrong by less than this, in seconds. */
const TOLERATED_SECONDS = 0.1;

/** Says what is wrong with a file of which a part is missing, as the rest of a sentence. */
export function cutOff(scanner: AudioScanner): string | undefined {
	const { seconds = 0, missingSeconds } = scanner;
	if (scanner.endsInError) return 'is cut off: it ends with an error of the gateway';
	if (scanner.isDamaged && seconds > 0)
		return `is damaged or cut off after ${roundedSeconds(seconds)} seconds`;
	if (missingSeconds < TOLERATED_SECONDS) return undefined;
	const announced = roundedSeconds(seconds + missingSeconds);
	return `is cut off: its header announces ${announced} seconds, but it has ${roundedSeconds(seconds)}`;
}

export interface AudioFormat<S extends Sound = Sound> {
	/** Value of Format, and of `response_format` in the request. */
	value: string;
	name: string;
	description: string;
	/** Media type that the first bytes of a file reveal. */
	mimeType: string;
	scanner(this: void): AudioScanner;
	/** Reads a file, without keeping its sound in memory. @throws GatewayFailure for one that cannot be joined */
	read(source: AudioSource): Promise<S>;
	/** Silence that lasts as long as whole frames allow. @param like sound of the same file */
	silence(seconds: number, like: S): S;
	/** A file that consists of these sounds, at least one. @throws GatewayFailure when it would be too long */
	write(sounds: S[], tags?: AudioTags): AsyncGenerator<Buffer>;
}

/** Reads a file, and yields what its scanner reports of each chunk. */
export async function* foundIn<T>(
	source: AudioSource,
	create: (report: (found: T) => void) => AudioScanner,
): AsyncGenerator<T[]> {
	const found: T[] = [];
	const scanner = create((one) => found.push(one));
	for await (const chunk of await source.open()) {
		scanner.add(chunk);
		if (found.length > 0) yield found.splice(0);
	}
	scanner.end();
	yield found;
}

/** A file with fewer bytes than this has a header, and nothing else that could be sound. */
export const LONGEST_BARE_HEADER = 1_000;

/** One API ends what it could not pass on completely with an error object (songquanpeng/one-api, relay/controller/audio.go). */
const ERROR_AT_END = /\{"error":\s*\{[^]*\}\s*$/;
const END_BYTES = 1_000;

/** Reads the structure of an audio file that arrives in chunks of any size, and keeps only the bytes that it looks at. */
export abstract class AudioScanner {
	/** True if what follows some place cannot be read. */
	isDamaged = false;
	protected arrived = 0;
	protected hasEnded = false;
	/** The bytes that have arrived and are not read yet. */
	protected unread: Buffer = Buffer.alloc(0);
	private toSkip = 0;
	private lastBytes: Buffer = Buffer.alloc(0);
	/** True if further bytes change nothing but the length of the file. */
	private isDone = false;
	private readonly reading = this.read();

	add(chunk: Buffer): void {
		this.arrived += chunk.length;
		this.lastBytes = Buffer.concat([this.lastBytes, chunk.subarray(-END_BYTES)]).subarray(-END_BYTES);
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

	get endsInError(): boolean {
		return ERROR_AT_END.test(this.lastBytes.toString('latin1'));
	}

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

	protected get position(): number {
		return this.arrived - this.unread.length + this.toSkip;
	}

	private advance(): void {
		this.isDone ||= this.reading.next().done === true;
		if (this.isDone) this.unread = Buffer.alloc(0);
	}
}
