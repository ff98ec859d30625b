import { isUncompressed, secondsOf, WavScanner } from '../shared/audio/wavScanner';
import { chunksOf, type FileSource } from '../shared/http/requestBody';

/** What the header of a WAV file says. */
export interface WavFile {
	/** Hertz. */
	sampleRate: number;
	channels: number;
	seconds: number;
	isUncompressed: boolean;
}

/** Maximum length of what precedes the sound; it may contain cover pictures and notes. */
const MAX_HEADER_BYTES = 32_000_000;

/**
 * Reads the header of a WAV file, and its sound only if the size of the file is not known.
 *
 * @returns undefined when the file is not a WAV file with sound
 */
export async function inspectWavFile(file: FileSource): Promise<WavFile | undefined> {
	const { size } = file;
	const scanner = new WavScanner();
	let read = 0;
	for await (const chunk of chunksOf(file)) {
		read += chunk.length;
		scanner.add(chunk);
		const isEnough = scanner.isDone && (size !== undefined || !scanner.facts);
		if (isEnough || (!scanner.isDone && read > MAX_HEADER_BYTES)) break;
	}
	const { facts } = scanner;
	if (!facts) return undefined;
	const { sampleRate, channels } = facts;
	const seconds = secondsOf(facts, size ?? read);
	return { sampleRate, channels, seconds, isUncompressed: isUncompressed(facts) };
}
