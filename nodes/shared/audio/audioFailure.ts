import { answerFailure } from '../errors/errorMessages';
import type { GatewayFailure } from '../errors/gatewayFailure';

/**
 * The failure of audio that cannot be read or joined.
 *
 * @param part which part of a long text it is, from 0
 * @param what what is wrong with it, as the end of a sentence
 */
export function audioFailure(part: number, what: string): GatewayFailure {
	return answerFailure(`the audio of part ${part + 1} ${what}`, { mayHaveBeenCarriedOut: true });
}
