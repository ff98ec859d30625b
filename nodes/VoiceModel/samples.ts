import type { IExecuteFunctions } from 'n8n-workflow';
import { type WavFacts, WavScanner } from '../audio/wavScanner';
import { inputFailure } from '../shared/failure/words';
import type { GatewayFailure } from '../shared/failure/failure';
import { inputFile, type InputFile } from '../shared/files/sentFiles';
import { detectMediaType, extensionOf } from '../shared/files/mediaTypes';
import { chunksOf } from '../shared/send/requestBody';

export interface SampleInput {
	label: string;
	itemIndex: number;
	field: string;
	transcript: string;
}

export interface Sample extends SampleInput {
	file: InputFile;
	facts: WavFacts;
	seconds: number;
}

const MIN_SECONDS = 10;
const MAX_RECOMMENDED_SECONDS = 60;
const RECOMMENDED_RATES = [16_000, 24_000];

const CONVERT =
	'Convert it to WAV first (16 or 24 kHz, mono). A Speech node returns WAV if its Format is WAV. The web console of your gateway also accepts MP3 and M4A files.';

/** Opens a recording and measures it. @throws GatewayFailure (kind `input`) if it is not WAV, or too short */
export async function openSample(context: IExecuteFunctions, input: SampleInput): Promise<Sample> {
	const { itemIndex, field, label } = input;
	const file = await inputFile(context, itemIndex, field, label);
	const kind = detectMediaType(file.firstBytes);
	if (kind !== 'audio/wav') throw notWav(label, kind, file.fileName);
	const scanner = new WavScanner();
	await scanner.readAll(chunksOf(file));
	const { facts, seconds } = scanner;
	if (!facts || seconds === undefined) {
		throw inputFailure(label, 'begins like a WAV file but is not readable as one', CONVERT);
	}
	if (seconds < MIN_SECONDS) {
		throw inputFailure(
			label,
			`is ${Math.floor(seconds * 100) / 100} seconds long, but at least ${MIN_SECONDS} seconds are required`,
			`Record ${MIN_SECONDS} to ${MAX_RECOMMENDED_SECONDS} seconds of speech for each sample.`,
		);
	}
	return { ...input, file, facts, seconds };
}

/** Returns a hint on how a recording that is accepted differs from the gateway's recommendations (interface, 4.7). */
export function recommendationHint({ label, seconds, facts }: Sample): string | undefined {
	const { sampleRate, channels, isUncompressed } = facts;
	const isLong = seconds > MAX_RECOMMENDED_SECONDS;
	const differences = [
		isLong &&
			`is ${Math.round(seconds)} seconds long (${MIN_SECONDS} to ${MAX_RECOMMENDED_SECONDS} are recommended)`,
		!RECOMMENDED_RATES.includes(sampleRate) &&
			`has a sample rate of ${sampleRate} Hz (${RECOMMENDED_RATES.join(' or ')} is recommended)`,
		channels !== 1 && `has ${channels} channels (one is recommended)`,
		!isUncompressed && 'is compressed (PCM is recommended)',
	].filter((difference) => difference !== false);
	return differences.length > 0 ? `${label} ${differences.join(', ')}.` : undefined;
}

function notWav(label: string, kind: string | undefined, fileName = ''): GatewayFailure {
	const format = kind && (extensionOf(kind)?.toUpperCase() ?? kind);
	const what = format ? `a file of another format (${format})` : 'not a recognizable audio file';
	const disguised = /\.wav$/i.test(fileName) ? `, although it is named "${fileName.slice(-80)}"` : '';
	return inputFailure(label, `is ${what}${disguised}; the gateway accepts only WAV files`, CONVERT);
}
