import { withGatewayWords } from './errorMessages';
import { GatewayFailure, type FailureFacts } from './gatewayFailure';

/** A moment further away has no meaning for anybody, and cannot even be a date. */
const FURTHEST_MS = 366 * 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

/**
 * A failure for an item that was given up, or was not sent, because of a rate limit whose end is known.
 *
 * @param end from {@link momentInWords}
 */
export function rateLimitFailure(facts: FailureFacts, end: string): GatewayFailure {
	const { attempts = 1 } = facts;
	const tried = attempts === 1 ? 'once' : `${attempts} times`;
	const message =
		attempts === 0
			? `The rate limit of the gateway is reached until ${end}, so this item was not sent`
			: `The rate limit of the gateway is reached until ${end} (tried ${tried})`;
	const advice =
		'Run the remaining items after that time. If that is too late, select another model, or ask the operator of the gateway for a higher limit.';
	return new GatewayFailure('rateLimit', message, withGatewayWords(advice, facts), facts);
}

/**
 * A moment for people: "14:05", with the date if it is another day, and rounded up to the minute.
 *
 * @param moment in milliseconds since the epoch, like `now`
 * @param timeZone of the workflow; UTC if it is unknown
 * @returns undefined if the moment is too far away to mean anything
 */
export function momentInWords(moment: number, now: number, timeZone: string): string | undefined {
	if (!(moment - now < FURTHEST_MS)) return undefined;
	const date = new Date(Math.ceil(moment / MINUTE_MS) * MINUTE_MS);
	const zone = isTimeZone(timeZone) ? timeZone : 'UTC';
	const day = new Intl.DateTimeFormat('en-US', { timeZone: zone, month: 'long', day: 'numeric' });
	const time = new Intl.DateTimeFormat('en-US', {
		timeZone: zone,
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23',
	});
	const words = zone === timeZone ? time.format(date) : `${time.format(date)} UTC`;
	return day.format(date) === day.format(now) ? words : `${day.format(date)}, ${words}`;
}

function isTimeZone(name: string): boolean {
	try {
		new Intl.DateTimeFormat('en-US', { timeZone: name });
		return true;
	} catch {
		return false;
	}
}
