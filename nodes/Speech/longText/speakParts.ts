import { GatewayFailure, toFailure } from '../../shared/errors/gatewayFailure';
import type { AnswerReader } from '../../shared/http/answerReaders';
import type { Call } from '../../shared/runtime/call';
import { runPool } from '../../shared/runtime/pool';
import { speak, type SpeechSettings } from '../speak';
import { firstSentence } from './splitText';

/** The outcome of one part of a long text. */
export type PartOutcome<T> = { value: T } | { failure: GatewayFailure };

/** Maximum length of the sentence that a message quotes. */
const MAX_QUOTE_LENGTH = 80;

/**
 * Generates speech from the parts of a long text, in parallel as far as the run has free slots.
 *
 * @param readerOf the reader for the audio of a part, by its index from 0
 * @param stopAtFailure whether no further part starts after one has failed; parts in progress are always finished
 * @returns an outcome for each text, in order; undefined for a part that did not start
 */
export async function speakParts<T>(
	call: Call,
	settings: SpeechSettings,
	texts: string[],
	readerOf: (index: number) => AnswerReader<T>,
	stopAtFailure: boolean,
): Promise<Array<PartOutcome<T> | undefined>> {
	return await runPool(
		texts,
		async (text, index): Promise<PartOutcome<T>> => {
			try {
				return { value: await speak(call, settings, text, readerOf(index)) };
			} catch (error) {
				return { failure: partFailure(toFailure(error), index, texts) };
			}
		},
		{
			concurrency: call.maxConcurrency,
			signal: call.signal,
			stopsAt: (outcome) => stopAtFailure && 'failure' in outcome,
		},
	);
}

/** Quotes the first sentence of the part, because a long text has many parts. */
function partFailure(failure: GatewayFailure, index: number, texts: string[]): GatewayFailure {
	const text = firstSentence(texts[index], MAX_QUOTE_LENGTH);
	const facts = {
		...failure.facts,
		partial: { ...failure.facts.partial, part: index + 1, parts: texts.length, text },
	};
	const message = `Part ${index + 1} of ${texts.length}, which begins with “${text}”, was not generated: ${failure.message}`;
	return new GatewayFailure(failure.kind, message, failure.description, facts);
}
