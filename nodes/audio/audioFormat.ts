import type { GatewayFailure } from '../shared/failure/failure';
import { type AudioTags, roundedSeconds } from './audioTags';

/** A file that can be read as often as needed. */
export interface AudioSource {
	/** Makes the failure if it cannot be read or joined. @param what the problem of its audio, to end a sentence */
	fail(this: void, what: string): GatewayFailure;
	/** Length in bytes; undefined if it is not known. */
	size?: number;
	open(): Promise<AsyncIterable<Buffer>> | AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** Sound in a joined file: the sound of a file, which is read again when it is written, or silence. */
export interface Sound {
	/** The properties that all sounds of a file must have in common, for messages: "24000 Hz, 1 channel". */
	kind: string;
	seconds: number;
	/** The problem with a file that can be joined nevertheless, as the rest of a sentence. */
	problem?: string;
}

/** Headers may be wrong by less than this, in seconds. */
const TOLERATED_SECONDS = 0.1;

/** Describes, as the rest of a sentence, what is missing of a file; undefined if nothing is. */
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
	/** The value of the parameter Format, and of `response_format` in the request. */
	value: string;
	name: string;
	description: string;
	/** The media type that the first bytes of a file reveal. */
	mimeType: string;
	scanner(this: void): AudioScanner;
	/** Reads a file without keeping its sound in memory. @throws GatewayFailure for a file that cannot be joined */
	read(source: AudioSource): Promise<S>;
	/** Returns silence, rounded to whole frames. @param like sound of the same file */
	silence(seconds: number, like: S): S;
	/** Writes a file of these sounds, of which there is at least one. @throws GatewayFailure if it would be too long */
	write(sounds: S[], tags?: AudioTags): AsyncGenerator<Buffer>;
}

/** Reads a file, and yields the findings that its scanner reports for each chunk. */
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

/** A file with fewer bytes than this has at most a header, but no sound. */
export const LONGEST_BARE_HEADER = 1_000;

/** One API ends incomplete audio with an error object (songquanpeng/one-api, relay/controller/audio.go). */
const ERROR_AT_END = /\{"error":\s*\{[^]*\}\s*$/;
const END_BYTES = 1_000;

/** Reads the structure of an audio file that arrives in chunks of any size, and keeps only the bytes that it needs. */
export abstract class AudioScanner {
	/** True if the rest of the file after some place cannot be read. */
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

	/** Duration in seconds; undefined if the file does not reveal it. Like the next two, it is final after {@link end}. */
	abstract get seconds(): number | undefined;

	/** True if there is a header, or tags, and certainly no sound. */
	abstract get isEmpty(): boolean;

	/** True if players show or play something other than the sound of the file because of its header. */
	abstract get isMisleading(): boolean;

	get endsInError(): boolean {
		return ERROR_AT_END.test(this.lastBytes.toString('latin1'));
	}

	/** The seconds that the header announces, but that the file does not have. */
	get missingSeconds(): number {
		return 0;
	}

	/** Reads the file, and pauses whenever more bytes have to arrive. */
	protected abstract read(): Generator<void, void>;

	/** Returns the next bytes, which stay unread. There are fewer at the end of the file. */
	protected *peek(count: number): Generator<void, Buffer> {
		while (this.unread.length < count && !this.hasEnded) yield;
		return this.unread.subarray(0, count);
	}

	/** Skips the next bytes, whether they have arrived or not. */
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
