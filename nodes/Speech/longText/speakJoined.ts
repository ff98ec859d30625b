import type { IBinaryData } from 'n8n-workflow';
import { cancelledFailure } from '../../shared/errors/errorMessages';
import { toFailure, type GatewayFailure } from '../../shared/errors/gatewayFailure';
import { storeFile } from '../../shared/files/storeFile';
import { streamFrom } from '../../shared/http/byteStream';
import type { Call } from '../../shared/runtime/call';
import type { OperationFailure } from '../../shared/runtime/operation';
import { joinAudio } from '../audio/formats';
import { readRecording, type Recording, type SpeechSettings, type StoredAudio } from '../speak';
import { speakParts } from './speakParts';

/**
 * Generates speech from the parts of a long text and joins it into one file. The parts are kept in memory, because
 * they arrive in any order and joining extracts the sound from their files.
 *
 * @param field name of the output field
 * @returns the file; or, when a part failed or the parts do not fit together, the failure with the finished parts as
 *   separate files (`data_1`, `data_3`, …)
 */
export async function speakJoined(
	call: Call,
	settings: SpeechSettings,
	texts: string[],
	field: string,
	nameFor: (extension: string) => string,
): Promise<StoredAudio | OperationFailure> {
	const outcomes = await speakParts(call, settings, texts, () => readRecording, true);
	const recordings = outcomes.map((outcome) => (outcome && 'value' in outcome ? outcome.value : undefined));
	const finished = recordings.filter((recording) => recording !== undefined);
	if (finished.length < texts.length) {
		const failed = outcomes.find((outcome) => outcome && 'failure' in outcome);
		const failure = failed && 'failure' in failed ? failed.failure : cancelledFailure();
		return await withFinishedParts(call, failure, recordings, field, nameFor);
	}
	try {
		const { chunks, durationSeconds } = joinAudio(finished.map(({ bytes }) => bytes));
		const [{ contentType }] = finished;
		const file = await storeFile(call.context, streamFrom(chunks), contentType, nameFor);
		return { file, durationSeconds };
	} catch (error) {
		return await withFinishedParts(call, toFailure(error), recordings, field, nameFor);
	}
}

/** The failure with the finished parts, so that nothing that was paid for is lost. */
async function withFinishedParts(
	call: Call,
	failure: GatewayFailure,
	recordings: Array<Recording | undefined>,
	field: string,
	nameFor: (extension: string) => string,
): Promise<OperationFailure> {
	const files: Record<string, IBinaryData> = {};
	const finishedParts: number[] = [];
	const missingParts: number[] = [];
	for (const [index, recording] of recordings.entries()) {
		const part = index + 1;
		if (!recording) {
			missingParts.push(part);
			continue;
		}
		finishedParts.push(part);
		files[`${field}_${part}`] = await storeFile(
			call.context,
			recording.bytes,
			recording.contentType,
			(extension) => nameFor(`part${part}.${extension}`),
		);
	}
	const partial = { ...failure.facts.partial, finishedParts, missingParts };
	return { failure: failure.with({ partial }), files };
}
