import type { IBinaryData } from 'n8n-workflow';
import { cancelledFailure } from '../../shared/errors/errorMessages';
import { GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import { storeFile } from '../../shared/files/storeFile';
import { streamFrom } from '../../shared/http/byteStream';
import type { Call } from '../../shared/runtime/call';
import type { OperationFailure } from '../../shared/runtime/operation';
import { runPool } from '../../shared/runtime/pool';
import { joinAudio } from '../audio/formats';
import { partFails } from '../audio/joiner';
import {
	speak,
	type SpeechSettings,
	storeAudio,
	STORED_AUDIO,
	storedAudio,
	type StoredAudio,
} from '../speak';
import { firstSentence } from './splitText';

/**
 * Generates speech from the parts of a long text and joins it into one file. Each part is streamed into n8n's binary
 * store, where a retry finds it.
 *
 * @param field name of the output field
 * @param nameFor returns the name of a file
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
	const speakPart = async (text: string, index: number) => {
		const partName = (extension: string) => nameFor(`part${index + 1}.${extension}`);
		return (await speak(call, settings, text, storeAudio(call, partName), STORED_AUDIO)).value.file;
	};
	const outcomes = await speakParts(call, texts, speakPart, true);
	const parts = outcomes.map((outcome) => (outcome && 'value' in outcome ? outcome.value : undefined));
	const finished = parts.filter((part) => part !== undefined);
	if (finished.length < texts.length) {
		const failed = outcomes.find((outcome) => outcome && 'failure' in outcome);
		return withFiles(failed && 'failure' in failed ? failed.failure : cancelledFailure(), parts, field);
	}
	try {
		const joiner = await joinAudio(
			finished.map((part, index) => storedAudio(call, part, partFails(index + 1))),
		);
		const file = await storeFile(call, streamFrom(joiner.chunks()), joiner.mimeType, nameFor);
		return { file, durationSeconds: joiner.seconds };
	} catch (error) {
		return withFiles(toFailure(error), parts, field);
	}
}

/** The failure with the finished parts, so that nothing that was paid for is lost. */
function withFiles(
	failure: GatewayFailure,
	parts: Array<IBinaryData | undefined>,
	field: string,
): OperationFailure {
	const files: Record<string, IBinaryData> = {};
	const finishedParts: number[] = [];
	const missingParts: number[] = [];
	for (const [index, file] of parts.entries()) {
		const part = index + 1;
		(file ? finishedParts : missingParts).push(part);
		if (file) files[`${field}_${part}`] = file;
	}
	const partial = { ...failure.facts.partial, finishedParts, missingParts };
	return { failure: failure.with({ partial }), files };
}

/** The outcome of one part of a long text. */
type PartOutcome<T> = { value: T } | { failure: GatewayFailure };

/** Maximum length of the sentence that a message quotes. */
const MAX_QUOTE_LENGTH = 80;

/**
 * Generates speech from the parts of a long text, in parallel as far as the run has free slots.
 *
 * @param speakPart generates one part; gets its index from 0
 * @param stopAtFailure whether no further part starts after one has failed; parts in progress are always finished
 * @returns an outcome for each text, in order; undefined for a part that did not start
 */
export async function speakParts<T>(
	call: Call,
	texts: string[],
	speakPart: (text: string, index: number) => Promise<T>,
	stopAtFailure: boolean,
): Promise<Array<PartOutcome<T> | undefined>> {
	return await runPool(
		texts,
		async (text, index): Promise<PartOutcome<T>> => {
			try {
				return { value: await speakPart(text, index) };
			} catch (error) {
				return { failure: partFailure(toFailure(error), index, texts) };
			}
		},
		{
			concurrency: call.concurrency,
			signal: call.signal,
			stopsAt: (outcome) => stopAtFailure && 'failure' in outcome,
		},
	);
}

/** Quotes the first sentence of the part, because a long text has many parts. */
export function partFailure(failure: GatewayFailure, index: number, texts: string[]): GatewayFailure {
	const text = firstSentence(texts[index], MAX_QUOTE_LENGTH);
	const facts = {
		...failure.facts,
		partial: { ...failure.facts.partial, part: index + 1, parts: texts.length, text },
	};
	const message = `Part ${index + 1} of ${texts.length}, which begins with “${text}”, was not generated: ${failure.message}`;
	return new GatewayFailure(failure.kind, message, failure.description, facts);
}
