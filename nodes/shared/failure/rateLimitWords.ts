import type { FailureFacts } from './evidence';
import { GatewayFailure } from './failure';
import { effectOf, withGatewayWords, wordsOfStatus } from './statusWords';

const MINUTE_MS = 60_000;
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;

/** The last day that a `Date` can be, in any time zone: a gateway may ask to wait for longer. */
const LAST_DATE = 8.64e15 - 24 * 60 * MINUTE_MS;

/** The present, as the user of a workflow sees it. */
export interface Moment {
	/** In milliseconds since the epoch. */
	now: number;
	timeZone: string;
}

/** The failure of an item that a rate limit has ended. @param end of the limit since the epoch, if it is known */
export function limitFailure(facts: FailureFacts, end: number | undefined, moment: Moment): GatewayFailure {
	if (end === undefined) {
		const { message, advice } = wordsOfStatus({ status: 429, facts, isUnclear: false, namesModel: true });
		return new GatewayFailure('rateLimit', message, advice, { ...facts, status: 429 });
	}
	const until = momentInWords(end, moment);
	const message = `The rate limit of the gateway is reached until ${until}${effectOf(facts.attempts)}`;
	const advice =
		'Run the remaining items after that time. If that is too late, select another model, or ask the operator of the gateway for a higher limit.';
	return new GatewayFailure('rateLimit', withGatewayWords(message, facts), advice, facts);
}

/** A moment since the epoch for people: "14:05", with the date if it is another day, and the year if that is far away. */
export function momentInWords(moment: number, { now, timeZone }: Moment): string {
	try {
		return inZone(moment, now, timeZone);
	} catch {
		// The time zone is unknown.
		return `${inZone(moment, now, 'UTC')} UTC`;
	}
}

/** @throws RangeError for an unknown time zone */
function inZone(moment: number, now: number, timeZone: string): string {
	const date = new Date(Math.min(Math.ceil(moment / MINUTE_MS) * MINUTE_MS, LAST_DATE));
	const year = moment - now < YEAR_MS / 2 ? undefined : 'numeric';
	const dayOf = new Intl.DateTimeFormat('en-US', { timeZone, year, month: 'long', day: 'numeric' });
	const timeOf = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
	const time = new Intl.DateTimeFormat('en-US', timeOf).format(date);
	const day = dayOf.format(date);
	return day === dayOf.format(now) ? time : `${day}, ${time}`;
}
