import { asRecord, numberOf, textOr } from '../plain/values';

type Fields = Record<string, unknown>;

/**
 * How many milliseconds a failed response asks to wait: in `retry_after`, `estimated_time` of Hugging Face (until a
 * model is loaded), or `RetryInfo` of Google; see also {@link waitInWords}.
 */
export function waitIn(body: unknown): number | undefined {
	const whole = asRecord(body);
	const error = asRecord(Array.isArray(body) ? asRecord(body[0])?.error : whole?.error) ?? whole;
	const places = [error, whole, asRecord(error?.metadata)];
	const named = places.map((place) => place?.retry_after ?? place?.estimated_time);
	const seconds = numberOf(named.find((one) => one !== undefined));
	if (seconds !== undefined && seconds >= 0) return seconds * 1000;
	const delays = detailsOf(error).flatMap(({ retryDelay }) => durationIn(textOr(retryDelay)) ?? []);
	return delays.at(0);
}

function detailsOf(error: Fields | undefined): Fields[] {
	const details = error?.details;
	return Array.isArray(details) ? (details as unknown[]).map((detail) => asRecord(detail) ?? {}) : [];
}

/** Of OpenAI, Azure, Replicate ("resets in ~3s"), Django REST ("available in 1 second"), and GitHub ("wait 60 seconds"). */
const WAIT =
	/\b(?:(?:(?:re)?try|wait|again|available|resets?)\b[^.]{0,40}?\b(?:in|after|for)|wait)\s~?((?:\d+(?:\.\d+)?\s?[a-z]+\s?){1,4})/i;

/** How long words such as "try again in 20s" ask to wait, in milliseconds; undefined if they do not say. */
export function waitInWords(words: string): number | undefined {
	return durationIn(WAIT.exec(words)?.[1] ?? '');
}

const UNITS: Array<[RegExp, number]> = [
	[/^(ms|milliseconds?)$/i, 1],
	[/^(s|secs?|seconds?)$/i, 1000],
	[/^(m|mins?|minutes?)$/i, 60_000],
	[/^(h|hrs?|hours?)$/i, 3_600_000],
];

/** A duration such as `48s`, `1m30.5s`, and `20 seconds`; undefined for none. */
function durationIn(text: string): number | undefined {
	const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)\s?([a-z]+)/gi)].flatMap(([, count, unit]) => {
		const known = UNITS.find(([pattern]) => pattern.test(unit));
		return known ? Number(count) * known[1] : [];
	});
	return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + part, 0);
}
