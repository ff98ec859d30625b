import type { IExecuteFunctions } from 'n8n-workflow';
import { WavScanner } from '../shared/files/wavScanner';
import { inputFailure } from '../shared/errors/errorMessages';
import type { GatewayFailure } from '../shared/errors/gatewayFailure';
import { inputFile, type InputFile } from '../shared/files/inputFile';
import { detectMediaType } from '../shared/files/mediaTypes';
import { chunksOf, type FileSource } from '../shared/send/requestBody';

/** A recording as the parameters specify it. */
export interface SampleInput {
	/** Names the sample in messages. */
	label: string;
	itemIndex: number;
	/** Name of the binary field. */
	field: string;
	transcript: string;
}

/** A recording that has been checked. */
export interface Sample extends SampleInput {
	file: InputFile;
	wav: WavFile;
}

const MIN_SECONDS = 10;
const MAX_RECOMMENDED_SECONDS = 60;
const RECOMMENDED_RATES = [16_000, 24_000];

const KINDS: Record<string, string> = {
	'audio/mpeg': 'an MP3 file',
	'audio/mp4': 'an M4A or MP4 file',
	'audio/ogg': 'an Ogg file',
	'audio/flac': 'a FLAC file',
	'audio/aac': 'an AAC file',
	'audio/webm': 'a WebM file',
};
const CONVERT =
	'Convert it to WAV first (16 or 24 kHz, mono), or use the web console of your gateway, which also accepts MP3 and M4A files.';

/**
 * Opens a recording and reads only the header of its file.
 *
 * @throws GatewayFailure (kind `input`) when it is missing, empty, not WAV, or shorter than ten seconds
 */
export async function openSample(context: IExecuteFunctions, input: SampleInput): Promise<Sample> {
	const { itemIndex, field, label } = input;
	const file = await inputFile(context, itemIndex, field, label);
	const kind = detectMediaType(file.firstBytes);
	if (kind !== 'audio/wav') throw notWav(label, kind, file.fileName);
	const wav = await inspectWavFile(file);
	if (!wav) throw inputFailure(label, 'begins like a WAV file but is not readable as one', CONVERT);
	if (wav.seconds < MIN_SECONDS) {
		throw inputFailure(
			label,
			`is ${Math.floor(wav.seconds * 100) / 100} seconds long, but at least ${MIN_SECONDS} seconds are required`,
			`Record ${MIN_SECONDS} to ${MAX_RECOMMENDED_SECONDS} seconds of speech for each sample.`,
		);
	}
	return { ...input, file, wav };
}

/** A hint on how a recording differs from the gateway's recommendations, which it accepts anyway (interface, 4.7). */
export function recommendationHint({ label, wav }: Sample): string | undefined {
	const differences: string[] = [];
	if (wav.seconds > MAX_RECOMMENDED_SECONDS) {
		differences.push(
			`is ${Math.round(wav.seconds)} seconds long (${MIN_SECONDS} to ${MAX_RECOMMENDED_SECONDS} are recommended)`,
		);
	}
	if (!RECOMMENDED_RATES.includes(wav.sampleRate)) {
		differences.push(
			`has a sample rate of ${wav.sampleRate} Hz (${RECOMMENDED_RATES.join(' or ')} is recommended)`,
		);
	}
	if (wav.channels !== 1) differences.push(`has ${wav.channels} channels (one is recommended)`);
	if (!wav.isUncompressed) differences.push('is compressed (PCM is recommended)');
	return differences.length > 0 ? `${label} ${differences.join(', ')}.` : undefined;
}

function notWav(label: string, kind: string | undefined, fileName = ''): GatewayFailure {
	const what = kind === undefined ? 'not a recognizable audio file' : (KINDS[kind] ?? kind);
	const disguised = /\.wav$/i.test(fileName) ? `, although it is named "${fileName.slice(-80)}"` : '';
	return inputFailure(label, `is ${what}${disguised}; the gateway accepts only WAV files`, CONVERT);
}

/** What the header of a WAV file says. */
interface WavFile {
	/** Hertz. */
	sampleRate: number;
	channels: number;
	seconds: number;
	isUncompressed: boolean;
}

/**
 * Reads the header of a WAV file, and its sound only if the size of the file is not known.
 *
 * @returns undefined when the file is not a WAV file with sound
 */
export async function inspectWavFile(file: FileSource): Promise<WavFile | undefined> {
	const scanner = new WavScanner(file.size);
	await scanner.readAll(chunksOf(file));
	const { facts, seconds } = scanner;
	if (!facts || seconds === undefined) return undefined;
	const { sampleRate, channels, isUncompressed } = facts;
	return { sampleRate, channels, seconds, isUncompressed };
}
