import type { IExecuteFunctions } from 'n8n-workflow';
import { inputFailure } from '../shared/errors/errorMessages';
import type { GatewayFailure } from '../shared/errors/gatewayFailure';
import { inspectWavFile, type WavFile } from './wavFile';
import { inputFile, type InputFile } from '../shared/files/inputFile';
import { detectMediaType } from '../shared/files/mediaTypes';
import type { SampleInput } from './voiceRequest';

/** A recording that has been checked. */
export interface Sample extends SampleInput {
	file: InputFile;
	wav: WavFile;
}

const LEAST_SECONDS = 10;
const ADVISED_SECONDS = 60;
const ADVISED_RATES = [16_000, 24_000];

const KINDS: Record<string, string> = {
	'audio/mpeg': 'an MP3 file',
	'audio/mp4': 'an M4A or MP4 file',
	'audio/ogg': 'an Ogg file',
	'audio/flac': 'a FLAC file',
	'audio/aac': 'an AAC file',
	'audio/webm': 'a WebM file',
};
const CONVERT =
	'Convert it to WAV first (16 or 24 kHz, mono), or use the web console of your gateway, which takes MP3 and M4A files too.';

/**
 * Opens a recording and reads the header of its file, no more.
 *
 * @throws GatewayFailure (kind `input`) when it is missing, empty, no WAV file, or shorter than ten seconds
 */
export async function openSample(context: IExecuteFunctions, input: SampleInput): Promise<Sample> {
	const { itemIndex, field, label } = input;
	const file = await inputFile(context, itemIndex, field, label);
	const kind = detectMediaType(file.firstBytes);
	if (kind !== 'audio/wav') throw notWav(label, kind, file.fileName);
	const wav = await inspectWavFile(file);
	if (!wav) throw inputFailure(label, 'begins like a WAV file but cannot be read as one', CONVERT);
	if (wav.seconds < LEAST_SECONDS) {
		throw inputFailure(
			label,
			`lasts ${Math.floor(wav.seconds * 100) / 100} seconds, and at least ${LEAST_SECONDS} are needed`,
			`Record ${LEAST_SECONDS} to ${ADVISED_SECONDS} seconds of speech for each sample.`,
		);
	}
	return { ...input, file, wav };
}

/** What the gateway advises otherwise for a recording, as a remark; it takes it all the same (interface, 4.7). */
export function adviceOn({ label, wav }: Sample): string | undefined {
	const remarks: string[] = [];
	if (wav.seconds > ADVISED_SECONDS)
		remarks.push(`lasts ${Math.round(wav.seconds)} seconds (10 to 60 are advised)`);
	if (!ADVISED_RATES.includes(wav.sampleRate))
		remarks.push(`has ${wav.sampleRate} Hz (16000 or 24000 are advised)`);
	if (wav.channels !== 1) remarks.push(`has ${wav.channels} channels (one is advised)`);
	if (!wav.isUncompressed) remarks.push('is compressed (plain PCM is safest)');
	return remarks.length > 0 ? `${label} ${remarks.join(', ')}.` : undefined;
}

function notWav(label: string, kind: string | undefined, fileName = ''): GatewayFailure {
	const what = kind === undefined ? 'no audio file that could be recognised' : (KINDS[kind] ?? `${kind}`);
	const disguised = /\.wav$/i.test(fileName) ? `, although it is called "${fileName.slice(-80)}"` : '';
	return inputFailure(label, `is ${what}${disguised}; the gateway takes WAV files only`, CONVERT);
}
