import { GatewayFailure, toFailure } from '../shared/errors/gatewayFailure';
import type { AnswerReader } from '../shared/http/answerReaders';
import type { Call } from '../shared/runtime/call';
import { runPool } from '../shared/runtime/pool';
import { speak, type SpeechSettings } from './speak';
import { firstSentence } from './splitText';

/** What became of one part of a long text; undefined when it was not begun because another had failed. */
export type PartOutcome<T> = { value: T } | { failure: GatewayFailure } | undefined;

/** Most characters of a sentence that a message quotes. */
const QUOTED_CHARACTERS = 80;

/**
 * Has the parts of a long text spoken in parallel, as far as the run has places for them.
 *
 * @param readerOf reads the audio of a part, counted from 0
 * @param goOn whether further parts are begun after one has failed; those under way are always finished
 * @returns one outcome for each text, in their order
 */
export async function speakParts<T>(
	call: Call,
	settings: SpeechSettings,
	texts: string[],
	readerOf: (index: number) => AnswerReader<T>,
	goOn: boolean,
): Promise<Array<PartOutcome<T>>> {
	const outcomes = texts.map((): PartOutcome<T> => undefined);
	let stopped = false;
	await runPool(
		texts.length,
		call.maxConcurrency,
		async (index) => {
			try {
				outcomes[index] = { value: await speak(call, settings, texts[index], readerOf(index)) };
			} catch (error) {
				outcomes[index] = { failure: partFailure(toFailure(error), index, texts) };
				stopped ||= !goOn;
			}
		},
		() => !stopped && !call.signal?.aborted,
	);
	return outcomes;
}

/** The failure of a part says which sentence it begins with, because a long text has many. */
function partFailure(failure: GatewayFailure, index: number, texts: string[]): GatewayFailure {
	const text = firstSentence(texts[index], QUOTED_CHARACTERS);
	const facts = {
		...failure.facts,
		partial: { ...failure.facts.partial, part: index + 1, parts: texts.length, text },
	};
	const message = `Part ${index + 1} of ${texts.length}, which begins with “${text}”, was not spoken: ${failure.message}`;
	return new GatewayFailure(failure.kind, message, failure.description, facts);
}
