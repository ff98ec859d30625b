import { detectMediaType, extensionOf } from '../shared/files/mediaTypes';
import { type ByteStream, peek, streamFrom } from '../shared/answer/byteStream';
import type { AudioFormat, AudioSource } from './audioFormat';
import { mp3 } from './mp3';
import { opus } from './opus';
import { wav } from './wav';

/** All formats that the node can measure and join. */
export const AUDIO_FORMATS: AudioFormat[] = [mp3, opus, wav];

/** The names of the formats for messages: "MP3, Opus, or WAV". `Intl.ListFormat` would take a fifth of the time to load the package. */
export const FORMAT_NAMES = AUDIO_FORMATS.map(({ name }, index, { length }) =>
	index < length - 1 ? name : `or ${name}`,
).join(', ');

/** Tells whether parts in a format, named as in a request, can be joined. */
export function canBeJoined(format: string): boolean {
	return AUDIO_FORMATS.some(({ value }) => value === format);
}

/** The name of a format, as in a request, by the media type of a file; undefined for a type that says nothing. */
export function formatOfMediaType(mimeType: string): string | undefined {
	const known = AUDIO_FORMATS.find((format) => format.mimeType === mimeType);
	const extension = extensionOf(mimeType);
	return known?.value ?? (mimeType.startsWith('audio/') ? extension : undefined);
}

/** The format of a file that begins with these bytes; undefined for a file that is none of them. */
export function formatOf(firstBytes: Buffer): AudioFormat | undefined {
	const detected = detectMediaType(firstBytes);
	return AUDIO_FORMATS.find(({ mimeType }) => mimeType === detected);
}

/** The format of a file; undefined for a file that is none of them. */
export async function formatOfFile(source: AudioSource): Promise<AudioFormat | undefined> {
	const content = streamFrom(await source.open());
	const { firstBytes } = await peek(content);
	content.destroy();
	return formatOf(firstBytes);
}

/** A file that is measured on its way to another reader. */
export type Measured = Awaited<ReturnType<typeof measured>>;

/**
 * Measures audio while it passes, and tells what a file begins with, also another one. The scanner, which other files do not
 * have, knows all once the stream has ended.
 */
export async function measured(source: ByteStream) {
	const { firstBytes, body } = await peek(source);
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
	return { stream, firstBytes, detected: detectMediaType(firstBytes), format, scanner };
}
