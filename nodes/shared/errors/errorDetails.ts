import { asRecord, numberOf, parseJson, textOr } from '../values';

type Fields = Record<string, unknown>;

const MAX_REASONS = 3;

/**
 * What a provider said behind the general sentence of a gateway: `metadata.raw` of OpenRouter, `innererror` of Azure,
 * `details` of Google, and the parameter of OpenAI.
 *
 * @param error the object that describes the error, as it was sent
 */
export function reasonsBehind(error: unknown): string[] {
	const { metadata, innererror, details, param } = asRecord(error) ?? {};
	const raw = asRecord(metadata)?.raw;
	const parameter = textOr(param);
	const reasons = [
		...wordsIn(textOr(raw) === '' ? raw : (parseJson(textOr(raw))?.value ?? raw)),
		...wordsIn(innererror),
		...wordsIn(details),
		...(parameter === '' ? [] : [`parameter ${parameter}`]),
	];
	return [...new Set(reasons)].slice(0, MAX_REASONS);
}

/** The words of a text, of an object, or of a list of objects. */
function wordsIn(value: unknown): string[] {
	if (typeof value === 'string') return value.trim() === '' ? [] : [value];
	if (Array.isArray(value)) return value.flatMap(wordsIn);
	const fields = asRecord(value);
	if (!fields) return [];
	const { message, description, error, violations, fieldViolations, code } = fields;
	const words = [message, description, error, violations, fieldViolations].flatMap(wordsIn);
	return words.length > 0 || typeof code !== 'string' ? words : [code];
}

/**
 * How long the body of a failed response asks to wait: `retry_after` in seconds, `RetryInfo` of Google, or words such as
 * "try again in 20s" and "retry after 20 seconds".
 *
 * @returns milliseconds; undefined if it does not say
 */
export function waitIn(body: unknown): number | undefined {
	const whole = asRecord(body);
	const error = asRecord(Array.isArray(body) ? asRecord(body[0])?.error : whole?.error) ?? whole;
	const seconds = numberOf(error?.retry_after ?? whole?.retry_after ?? asRecord(error?.metadata)?.retry_after);
	if (seconds !== undefined && seconds >= 0) return seconds * 1000;
	const delays = detailsOf(error).flatMap(({ retryDelay }) => durationIn(textOr(retryDelay)) ?? []);
	return delays.at(0) ?? waitInWords(textOr(error?.message));
}

function detailsOf(error: Fields | undefined): Fields[] {
	const details = error?.details;
	return Array.isArray(details) ? (details as unknown[]).map((detail) => asRecord(detail) ?? {}) : [];
}

const WAIT = /\b(?:(?:re)?try|wait|again)\b[^.]{0,40}?\b(?:in|after|for)\s((?:\d+(?:\.\d+)?\s?[a-z]+\s?){1,4})/i;

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
