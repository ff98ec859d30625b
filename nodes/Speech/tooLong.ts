import { GatewayFailure } from '../shared/errors/gatewayFailure';
import { namedLimit, type NamedLimit } from '../shared/errors/namedLimit';
import { CHARACTERS_PER_PART } from './fields';

/** How many characters fit for each unit of a limit: one has up to 3 bytes, and rarely more than 2 tokens. */
const CHARACTERS: Partial<Record<NamedLimit['unit'], number>> = {
	characters: 1,
	bytes: 1 / 3,
	tokens: 1 / 2,
};

/** How gateways say that a text is too long, without a number: OpenAI, ElevenLabs, and Chinese gateways. */
const TOO_LONG = /too[ _]long|max_character_limit|above_max_length|[过超]长|长度超/i;
const TOO_LARGE = 413;

/**
 * The failure of a text that is too long for the gateway, with the option that splits it; other failures unchanged.
 *
 * @param partLength Characters per Part; undefined when the text is not split
 */
export function withPartLength(failure: GatewayFailure, partLength: number | undefined): GatewayFailure {
	const { kind, message, description, facts } = failure;
	if (kind !== 'request' && kind !== 'gateway') return failure;
	const limit = namedLimit(facts);
	const fitting = limit && Math.floor(limit.most * (CHARACTERS[limit.unit] ?? 0));
	const { status, gatewayMessage = '', code = '' } = facts;
	const isTooLong = status === TOO_LARGE || TOO_LONG.test(`${gatewayMessage} ${code}`);
	// A part that is shorter than the limit was refused for something else.
	const splits = fitting ? partLength === undefined || fitting < partLength : !limit && isTooLong;
	if (!splits) return failure;
	const most = fitting ? `${fitting} or less` : 'a smaller number';
	const whole = partLength === undefined ? 'Long Text to "Split and Join", and ' : '';
	const advice = `To split the text into shorter requests, set ${whole}${CHARACTERS_PER_PART.displayName} in Limits and Retries to ${most}.`;
	return new GatewayFailure(kind, message, `${description} ${advice}`, facts);
}
