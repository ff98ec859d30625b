import { asRecord, numberOf, parseJson, textOr } from '../plain/values';

type Fields = Record<string, unknown>;

const MAX_REASONS = 3;
/** Lists of reasons are read up to here. */
const MAX_LENGTH = 20;

/**
 * What a provider said behind the general sentence of a gateway: `metadata` of OpenRouter and Novita, `innererror` of
 * Azure, `details` of Google, `failed_generation` of Groq, `meta` of AI/ML API, and the parameter of OpenAI.
 *
 * @param error the object that describes the error, as it was sent
 */
export function reasonsBehind(error: unknown): string[] {
	const { metadata, innererror, details, meta, param, failed_generation: generated } = asRecord(error) ?? {};
	const { raw, reason, reasons } = asRecord(metadata) ?? {};
	const parameter = textOr(param);
	const behind = [
		parseJson(textOr(raw))?.value ?? raw,
		reasons,
		reason,
		innererror,
		details,
		meta,
		generated,
	];
	const named = NO_PARAMETER.test(parameter) ? [] : [`parameter ${parameter}`];
	const words = [...behind, asRecord(param)].flatMap((one) => wordsIn(one));
	return [...new Set([...words, ...named])].slice(0, MAX_REASONS);
}

/** LiteLLM sends "None". */
const NO_PARAMETER = /^(none|null)?$/i;
const MAX_DEPTH = 5;
/** The fields with the words of a reason; of a quota that Google names, only the ID says which one. */
const WORDS = ['message', 'description', 'detail', 'error', 'violations', 'fieldViolations', 'innererror'];
const NAMES = ['quotaId', 'reason', 'code'];

/** The words of a text, of an object, or of a list of objects. */
function wordsIn(value: unknown, depth = 0): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value];
	if (depth > MAX_DEPTH) return [];
	if (Array.isArray(value)) return value.slice(0, MAX_LENGTH).flatMap((one) => wordsIn(one, depth + 1));
	const fields = asRecord(value);
	if (!fields) return [];
	const words = WORDS.flatMap((name) => wordsIn(fields[name], depth + 1));
	const name = NAMES.map((one) => textOr(fields[one])).find((one) => one !== '');
	return words.length > 0 || name === undefined ? words : [name];
}

/**
 * How long the body of a failed response asks to wait: `retry_after` in seconds, `estimated_time` of Hugging Face (until a
 * model is loaded), `RetryInfo` of Google, or words such as "try again in 20s" and "retry after 20 seconds".
 *
 * @returns milliseconds; undefined if it does not say
 */
export function waitIn(body: unknown): number | undefined {
	const whole = asRecord(body);
	const error = asRecord(Array.isArray(body) ? asRecord(body[0])?.error : whole?.error) ?? whole;
	const places = [error, whole, asRecord(error?.metadata)];
	const named = places.map((place) => place?.retry_after ?? place?.estimated_time);
	const seconds = numberOf(named.find((one) => one !== undefined));
	if (seconds !== undefined && seconds >= 0) return seconds * 1000;
	const delays = detailsOf(error).flatMap(({ retryDelay }) => durationIn(textOr(retryDelay)) ?? []);
	return delays.at(0) ?? waitInWords(textOr(error?.message));
}

function detailsOf(error: Fields | undefined): Fields[] {
	const details = error?.details;
	return Array.isArray(details) ? (details as unknown[]).map((detail) => asRecord(detail) ?? {}) : [];
}

/** Of OpenAI, Azure, Replicate ("resets in ~3s"), Django REST ("available in 1 second"), and GitHub ("wait 60 seconds"). */
const WAIT =
	/\b(?:(?:(?:re)?try|wait|again|available|resets?)\b[^.]{0,40}?\b(?:in|after|for)|wait)\s~?((?:\d+(?:\.\d+)?\s?[a-z]+\s?){1,4})/i;

/** How long words ask to wait, in milliseconds; undefined if they do not say. */
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
