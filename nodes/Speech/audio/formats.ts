import type { AudioScanner } from '../../shared/files/audioScanner';
import { WavScanner } from '../../shared/files/wavScanner';
import { detectMediaType, extensionOf } from '../../shared/files/mediaTypes';
import { type ByteStream, streamFrom } from '../../shared/answer/byteStream';
import type { AudioSource, Joiner } from './joiner';
import { Mp3Scanner } from './mp3Frames';
import { Mp3Joiner } from './mp3Joiner';
import { OpusJoiner } from './opusJoiner';
import { OpusReader } from './opusReader';
import { WavJoiner } from './wavJoiner';

/** A format that the node can measure and join. */
interface AudioFormat {
	/** Value of Format, and of `response_format` in the request. */
	value: string;
	/** Name in the editor and in messages. */
	name: string;
	description: string;
	/** Media type that the first bytes of a file reveal. */
	mimeType: string;
	/** Creates the scanner that measures a file. */
	scanner: () => AudioScanner;
	/** Creates what joins files of the format. */
	joiner: () => Joiner;
}

/** All formats that the node can measure and join. */
export const AUDIO_FORMATS: AudioFormat[] = [
	{
		value: 'mp3',
		name: 'MP3',
		description: 'Small files that play everywhere',
		mimeType: 'audio/mpeg',
		scanner: () => new Mp3Scanner(),
		joiner: () => new Mp3Joiner(),
	},
	{
		value: 'opus',
		name: 'Opus',
		description: 'Smallest files, for messengers and the web',
		mimeType: 'audio/ogg',
		scanner: () => new OpusReader(),
		joiner: () => new OpusJoiner(),
	},
	{
		value: 'wav',
		name: 'WAV',
		description: 'Uncompressed, for further editing',
		mimeType: 'audio/wav',
		scanner: () => new WavScanner(),
		joiner: () => new WavJoiner(),
	},
];

/** The names of the formats for messages: "MP3, Opus, or WAV". */
export const FORMAT_NAMES = AUDIO_FORMATS.map(({ name }) => name)
	.join(', ')
	.replace(/, (?=[^,]*$)/, ', or ');

/** The name of a format, as in a request, by the media type of a file; undefined for a type that says nothing. */
export function formatOfMediaType(mimeType: string): string | undefined {
	const known = AUDIO_FORMATS.find((format) => format.mimeType === mimeType);
	const extension = extensionOf(mimeType);
	return known?.value ?? (mimeType.startsWith('audio/') ? extension : undefined);
}

/** A scanner for a file that begins with these bytes, or undefined for a format that cannot be measured. */
export function scannerFor(firstBytes: Buffer): AudioScanner | undefined {
	return formatOf(firstBytes)?.scanner();
}

/**
 * What joins files into one that plays and seeks like any other. The bytes of the first file decide the format, because
 * gateways may ignore the requested one.
 *
 * @throws GatewayFailure (kind `answer`) for another format
 */
export async function joinerFor(first: AudioSource): Promise<Joiner> {
	const format = formatOf(await beginningOf(first));
	if (format) return format.joiner();
	throw first.fail(`is not ${FORMAT_NAMES} and cannot be joined; choose one of these formats`);
}

/**
 * Joins files in their order.
 *
 * @throws GatewayFailure (kind `answer`) for the first one that does not fit
 */
export async function joinAudio(sources: AudioSource[]): Promise<Joiner> {
	const joiner = await joinerFor(sources[0]);
	for (const source of sources) (await joiner.read(source)).append();
	return joiner;
}

/** The format of a file, as an option of the editor; undefined for a file that is none of them. */
export async function formatOfFile(source: AudioSource): Promise<string | undefined> {
	return formatOf(await beginningOf(source))?.value;
}

function formatOf(firstBytes: Buffer): AudioFormat | undefined {
	const detected = detectMediaType(firstBytes);
	return AUDIO_FORMATS.find(({ mimeType }) => mimeType === detected);
}

/** Enough of a file to detect its format. */
const ENOUGH_BYTES = 16;

async function beginningOf(source: AudioSource): Promise<Buffer> {
	let beginning: Buffer = Buffer.alloc(0);
	for await (const chunk of await source.open()) {
		beginning = Buffer.concat([beginning, chunk]);
		if (beginning.length >= ENOUGH_BYTES) break;
	}
	return beginning;
}

/** A stream of audio that is measured while it is read. */
interface MeasuredStream {
	stream: ByteStream;
	/** Duration in seconds, once the whole stream has been read; undefined for a format that cannot be measured. */
	seconds(this: void): number | undefined;
}

/** Measures audio on its way to another reader, without keeping it in memory. */
export function measured(source: ByteStream): MeasuredStream {
	let scanner: AudioScanner | undefined;
	let beginning: Buffer = Buffer.alloc(0);
	async function* passing(): AsyncGenerator<Buffer> {
		for await (const chunk of source as AsyncIterable<Buffer>) {
			if (beginning.length >= ENOUGH_BYTES) scanner?.add(chunk);
			else {
				beginning = Buffer.concat([beginning, chunk]);
				if (beginning.length >= ENOUGH_BYTES) scanner = scannerFor(beginning);
				scanner?.add(beginning);
			}
			yield chunk;
		}
		scanner?.end();
	}
	return { stream: streamFrom(passing()), seconds: () => scanner?.seconds };
}
