import { effectOf, statusFailure, withGatewayWords } from './statusFailure';
import { GatewayFailure, type FailureFacts } from './gatewayFailure';

/** A moment further away has no meaning for anybody, may be the same day of another year, or cannot even be a date. */
const FURTHEST_MS = 180 * 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/** The present, as the user of a workflow sees it. */
export interface Moment {
	/** In milliseconds since the epoch. */
	now: number;
	timeZone: string;
}

/** The failure of an item that a rate limit has ended. @param end of the limit since the epoch, if it is known */
export function limitFailure(facts: FailureFacts, end: number | undefined, moment: Moment): GatewayFailure {
	const words = end === undefined ? undefined : momentInWords(end, moment);
	if (words === undefined) return statusFailure({ ...facts, status: 429 });
	const message = `The rate limit of the gateway is reached until ${words}${effectOf(facts.attempts)}`;
	const advice =
		'Run the remaining items after that time. If that is too late, select another model, or ask the operator of the gateway for a higher limit.';
	return new GatewayFailure('rateLimit', withGatewayWords(message, facts), advice, facts);
}

/** The failure of a request that would have to wait for too long. @param waitMs which the gateway asks for */
export function unavailableFailure(
	failure: GatewayFailure,
	waitMs: number | undefined,
	moment: Moment,
): GatewayFailure {
	if (waitMs === undefined || failure.facts.mayHaveBeenCarriedOut) return failure;
	const words = momentInWords(moment.now + waitMs, moment);
	if (words === undefined) return failure;
	const description = `The gateway says that it is available again at ${words}. Run the item after that time.`;
	return failure.saying({ description });
}

/** A moment since the epoch for people: "14:05", with the date if it is another day; undefined if it is too far. */
export function momentInWords(moment: number, { now, timeZone }: Moment): string | undefined {
	if (!(moment - now < FURTHEST_MS)) return undefined;
	try {
		return inZone(moment, now, timeZone);
	} catch {
		// The time zone is unknown.
		return `${inZone(moment, now, 'UTC')} UTC`;
	}
}

/** @throws RangeError for an unknown time zone */
function inZone(moment: number, now: number, timeZone: string): string {
	const date = new Date(Math.ceil(moment / MINUTE_MS) * MINUTE_MS);
	const dayOf = new Intl.DateTimeFormat('en-US', { timeZone, month: 'long', day: 'numeric' });
	const timeOf = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
	const time = new Intl.DateTimeFormat('en-US', timeOf).format(date);
	const day = dayOf.format(date);
	return day === dayOf.format(now) ? time : `${day}, ${time}`;
}
