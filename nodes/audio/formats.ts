import { detectMediaType, extensionOf } from '../shared/files/mediaTypes';
import { type ByteStream, peek, streamFrom } from '../shared/answer/byteStream';
import type { AudioFormat, AudioSource } from './audioFormat';
import { mp3 } from './mp3';
import { opus } from './opus';
import { wav } from './wav';

/** All formats that the node can measure and join. */
export const AUDIO_FORMATS: AudioFormat[] = [mp3, opus, wav];

/** The formats in messages: "MP3, Opus, or WAV". `Intl.ListFormat` would take a fifth of the package's loading time. */
export const FORMAT_NAMES = AUDIO_FORMATS.map(({ name }, index, { length }) =>
	index < length - 1 ? name : `or ${name}`,
).join(', ');

/** Tells whether parts in a format, named as in a request, can be joined. */
export function canBeJoined(format: string): boolean {
	return AUDIO_FORMATS.some(({ value }) => value === format.toLowerCase());
}

/** Returns the name of a format, as in a request, for a media type; undefined for a type that does not reveal one. */
export function formatOfMediaType(mimeType: string): string | undefined {
	const known = AUDIO_FORMATS.find((format) => format.mimeType === mimeType);
	const extension = extensionOf(mimeType);
	return known?.value ?? (mimeType.startsWith('audio/') ? extension : undefined);
}

/** Returns the format of a file that begins with these bytes; undefined for any other file. */
export function formatOf(firstBytes: Buffer): AudioFormat | undefined {
	const detected = detectMediaType(firstBytes);
	return AUDIO_FORMATS.find(({ mimeType }) => mimeType === detected);
}

/** Returns the format of a file; undefined for any other file. */
export async function formatOfFile(source: AudioSource): Promise<AudioFormat | undefined> {
	const content = streamFrom(await source.open());
	const { firstBytes } = await peek(content);
	content.destroy();
	return formatOf(firstBytes);
}

/** A file that is measured on its way to another reader. */
export type Measured = Awaited<ReturnType<typeof measured>>;

/**
 * Measures audio while it passes, and returns the first bytes of any file. The scanner is undefined for files of other
 * formats, and is finished once the stream has ended.
 */
export async function measured(source: ByteStream) {
	const { firstBytes, body, broken } = await peek(source);
	const format = formatOf(firstBytes);
	const scanner = format?.scanner();
	async function* passing(): AsyncGenerator<Buffer> {
		for await (const chunk of body as AsyncIterable<Buffer>) {
			scanner?.add(chunk);
			yield chunk;
		}
		scanner?.end();
	}
	const stream = streamFrom(passing());
	return { stream, firstBytes, broken, detected: detectMediaType(firstBytes), format, scanner };
}
