import type { FileSource } from '../shared/http/requestBody';
import { isUncompressed, secondsOf, WavScanner } from '../shared/audio/wav';

/** What a WAV file is, by its header. */
export interface WavFile {
	/** Hertz. */
	sampleRate: number;
	channels: number;
	seconds: number;
	isUncompressed: boolean;
}

/** Most bytes before the sound that are read; cover pictures and notes may stand there. */
const MAX_HEADER_BYTES = 32_000_000;

/**
 * Reads the header of a WAV file and not its sound (unless nobody knows how long the file is).
 *
 * @returns undefined when the file is no WAV file with sound
 */
export async function inspectWavFile(file: FileSource): Promise<WavFile | undefined> {
	const { size } = file;
	const scanner = new WavScanner();
	const content = await file.open();
	const chunks = Buffer.isBuffer(content) ? [content] : content;
	let read = 0;
	try {
		for await (const chunk of chunks) {
			read += (chunk as Buffer).length;
			scanner.add(chunk as Buffer);
			const isEnough = scanner.isDone && (size !== undefined || !scanner.facts);
			if (isEnough || (!scanner.isDone && read > MAX_HEADER_BYTES)) break;
		}
	} finally {
		if (!Buffer.isBuffer(content)) content.destroy();
	}
	const { facts } = scanner;
	if (!facts) return undefined;
	const { sampleRate, channels } = facts;
	const seconds = secondsOf(facts, size ?? read);
	return { sampleRate, channels, seconds, isUncompressed: isUncompressed(facts) };
}
