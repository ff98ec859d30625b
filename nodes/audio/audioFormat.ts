import type { AudioScanner } from './audioScanner';
import { roundedSeconds } from './times';
import type { GatewayFailure } from '../shared/failure/failure';
import type { AudioTags } from './tags/audioTags';

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
export function cutOff({ seconds = 0, missingSeconds }: AudioScanner): string | undefined {
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
