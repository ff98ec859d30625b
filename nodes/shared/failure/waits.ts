import { headerValue, type ResponseHeaders } from '../plain/headers';

/** Times that a gateway names, in milliseconds. */
export interface Waits {
	/** The time that it asks to wait. If it is longer than ten minutes, the request is not sent again. */
	askedMs: number | undefined;
	/** When a limit of it begins anew, which it says with every response: it only matters after a refusal. */
	resetMs: number | undefined;
}

/** Reads from a header how long to wait. @param now in milliseconds since the epoch */
type ReadWait = (text: string, now: number) => number | undefined;

interface WaitHeader {
	name: RegExp;
	read: ReadWait;
}

const numberIn = (text: string) => (/^\d{1,13}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined);
const times = (factor: number) => (text: string) => {
	const number = numberIn(text);
	return number === undefined || number >= 1e9 ? undefined : number * factor;
};
/** A date always contains letters; `Date.parse` would also read "-5" as a year. */
const untilDate: ReadWait = (text, now) => {
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
/** Seconds until then, or a moment since the epoch in seconds or in milliseconds. */
const untilNumber: ReadWait = (text, now) => {
	const number = numberIn(text);
	if (number === undefined) return undefined;
	if (number < 1e9) return number * 1000;
	return Math.max(0, (number < 1e11 ? number * 1000 : number) - now);
};
const firstOf =
	(...readers: ReadWait[]): ReadWait =>
	(text, now) =>
		readers.map((read) => read(text, now)).find((ms) => ms !== undefined);

/** Headers with which a gateway asks to wait, the first one that can be read. */
const ASKING: WaitHeader[] = [
	// Azure, OpenAI
	{ name: /^retry-after-ms$/, read: times(1) },
	// RFC 9110, section 10.2.3
	{ name: /^retry-after$/, read: firstOf(times(1000), untilDate) },
];

/** Headers that say with every response when a limit begins anew. */
const RESETTING: WaitHeader[] = [
	// OpenAI ("1m40s", "250ms"), OpenRouter (epoch milliseconds), GitHub (epoch seconds), IETF draft (seconds)
	{ name: /^(x-)?rate-?limit-reset(-[a-z]+)*$/, read: firstOf(durationIn, untilNumber, untilDate) },
	// Anthropic (RFC 3339)
	{ name: /^anthropic-ratelimit-[a-z-]+-reset$/, read: untilDate },
];

/** Reads what the headers of a response say about waiting. @param now in milliseconds since the epoch */
export function waitsOf(headers: ResponseHeaders, now: number): Waits {
	const found = (rows: WaitHeader[]) =>
		rows.flatMap(({ name, read }) =>
			Object.keys(headers)
				.filter((header) => name.test(header))
				.flatMap((header) => {
					const ms = read(textOf(headers, header), now);
					return ms === undefined ? [] : [{ ms, isUsedUp: isUsedUp(headers, header) }];
				}),
		);
	const resets = found(RESETTING);
	const usedUp = resets.filter((one) => one.isUsedUp).map(({ ms }) => ms);
	// Of several limits, the longest that is used up; if none says so, the gateway may mean the shortest.
	const shortest = resets.length > 0 ? Math.min(...resets.map(({ ms }) => ms)) : undefined;
	return {
		askedMs: found(ASKING).at(0)?.ms,
		resetMs: usedUp.length > 0 ? Math.max(...usedUp) : shortest,
	};
}

/** Tells whether nothing remains of the limit that a header is about: `…-remaining-…` beside `…-reset-…`. */
function isUsedUp(headers: ResponseHeaders, reset: string): boolean {
	return numberIn(textOf(headers, reset.replace('reset', 'remaining'))) === 0;
}

function textOf(headers: ResponseHeaders, name: string): string {
	return headerValue(headers, name)?.trim() ?? '';
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as "1m40s" or "250ms". */
function durationIn(text: string): number | undefined {
	if (!/^(\d{1,9}(\.\d{1,9})?(ms|[smhd]))+$/i.test(text)) return undefined;
	const parts = text.toLowerCase().matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|[smhd])/g);
	return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit], 0);
}

/** Seconds in a field: `retry_after` of Cloudflare, or `retryDelay` of Google. */
const FIELD = /"retry_?(?:after|delay)":\s?"?(\d{1,9}(?:\.\d{1,9})?)/i;
/** A moment in a field: OpenRouter repeats the headers of its provider in the body. */
const MOMENT = /"x-ratelimit-reset":\s?"?(\d{10,13})\b/i;
/** Of OpenAI, Azure, Replicate ("resets in ~3s"), Django REST ("available in 1 second"), and GitHub ("wait 60 seconds"). */
const WORDS =
	/\b(?:retry|again|wait|available|resets)\b[^.\d]{0,20}((?:\s?\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|m|h|sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?)(?![a-z]))+)/i;

/** Returns how many milliseconds a failed response asks to wait, as JSON or in words such as "try again in 1m30s". */
export function waitIn(text: string, now: number): number | undefined {
	const seconds = FIELD.exec(text)?.[1];
	if (seconds !== undefined) return Number(seconds) * 1000;
	const moment = MOMENT.exec(text)?.[1];
	if (moment !== undefined) return untilNumber(moment, now);
	const [, duration = ''] = WORDS.exec(text) ?? [];
	const parts = [...duration.matchAll(/(\d{1,9}(?:\.\d{1,9})?)\s?(ms|[smh])/gi)];
	if (parts.length === 0) return undefined;
	return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit.toLowerCase()], 0);
}
