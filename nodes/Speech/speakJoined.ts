import type { IBinaryData } from 'n8n-workflow';
import { cancelledFailure } from '../shared/errors/errorMessages';
import { streamFrom } from '../shared/http/byteStream';
import { type GatewayFailure, toFailure } from '../shared/errors/gatewayFailure';
import { joinAudio } from './audio/joinAudio';
import { storeFile } from '../shared/files/storeFile';
import type { Call } from '../shared/runtime/call';
import type { OperationFailure } from '../shared/runtime/operation';
import { readRecording, type Recording, type SpeechSettings, type StoredAudio } from './speak';
import { speakParts } from './speakParts';

/**
 * Has the parts of a long text spoken and joins them into one file. The parts are held in memory, because
 * they arrive in any order and their sound has to be taken out of their files.
 *
 * @param field name of the output field
 * @returns the file; or, when a part failed or the parts do not fit together, the failure with the parts
 *   that were finished, each as a file (`data_1`, `data_3`, …)
 */
export async function speakJoined(
	call: Call,
	settings: SpeechSettings,
	texts: string[],
	field: string,
	nameFor: (extension: string) => string,
): Promise<StoredAudio | OperationFailure> {
	const outcomes = await speakParts(call, settings, texts, () => readRecording, false);
	const recordings = outcomes.map((outcome) => (outcome && 'value' in outcome ? outcome.value : undefined));
	const failed = outcomes.find((outcome) => outcome && 'failure' in outcome);
	const finished = recordings.filter((recording) => recording !== undefined);
	if (failed || finished.length < texts.length) {
		const failure = failed && 'failure' in failed ? failed.failure : cancelledFailure();
		return await withFinished(call, failure, recordings, field, nameFor);
	}
	try {
		const { chunks, durationSeconds } = joinAudio(finished.map(({ bytes }) => bytes));
		const stream = streamFrom(oneByOne(chunks));
		return { file: await storeFile(call.context, stream, finished[0].contentType, nameFor), durationSeconds };
	} catch (error) {
		return await withFinished(call, toFailure(error), recordings, field, nameFor);
	}
}

/** Nothing that was paid for is lost: the parts that were finished leave with the failure. */
async function withFinished(
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

async function* oneByOne(chunks: Buffer[]): AsyncGenerator<Buffer> {
	yield* chunks;
}
