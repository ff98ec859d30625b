import { headerValue, type ResponseHeaders } from '../plain/headers';

/** Times that a gateway names, in milliseconds. */
interface Waits {
	/** The time that the gateway asks to wait. If it is longer than ten minutes, the request is not sent again. */
	askedMs: number | undefined;
	/** The time until a limit resets. It comes with every response, but matters only after a refusal. */
	resetMs: number | undefined;
}

/**
 * Matches headers that tell with every response when a limit resets: of OpenAI ("1m40s", "250ms"), OpenRouter (epoch
 * milliseconds), GitHub (epoch seconds), the IETF draft (seconds), and Anthropic (RFC 3339).
 */
const RESETTING = /^((x-)?rate-?limit-reset(-[a-z]+)*|anthropic-ratelimit-[a-z-]+-reset)$/;

/** Reads what the headers of a response say about waiting. @param now in milliseconds since the epoch */
export function waitsOf(headers: ResponseHeaders, now: number): Waits {
	const retryAfter = textOf(headers, 'retry-after');
	const resets = Object.keys(headers)
		.filter((name) => RESETTING.test(name))
		.flatMap((name) => {
			const text = textOf(headers, name);
			const ms = durationIn(text) ?? untilNumber(text, now) ?? untilDate(text, now);
			return ms === undefined ? [] : [{ ms, isUsedUp: isUsedUp(headers, name) }];
		});
	const usedUp = resets.filter((one) => one.isUsedUp).map(({ ms }) => ms);
	// Of several limits, the longest that is used up counts; if none says so, the gateway may mean the shortest.
	const shortest = resets.length > 0 ? Math.min(...resets.map(({ ms }) => ms)) : undefined;
	return {
		// Azure and OpenAI; RFC 9110, section 10.2.3.
		askedMs:
			amountIn(textOf(headers, 'retry-after-ms'), 1) ??
			amountIn(retryAfter, 1000) ??
			untilDate(retryAfter, now),
		resetMs: usedUp.length > 0 ? Math.max(...usedUp) : shortest,
	};
}

function numberIn(text: string): number | undefined {
	return /^\d{1,13}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined;
}

/** Reads an amount of time; undefined for a larger number, which is a time since the epoch. */
function amountIn(text: string, unitMs: number): number | undefined {
	const number = numberIn(text);
	return number === undefined || number >= 1e9 ? undefined : number * unitMs;
}

/** Reads seconds, or the time until a date in seconds or milliseconds since the epoch. @returns milliseconds */
function untilNumber(text: string, now: number): number | undefined {
	const number = numberIn(text);
	if (number === undefined || number < 1e9) return amountIn(text, 1000);
	return Math.max(0, (number < 1e11 ? number * 1000 : number) - now);
}

/** Reads the time until a date. It must contain letters, because `Date.parse` would read "-5" as a year. */
function untilDate(text: string, now: number): number | undefined {
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Tells whether the limit of a `…-reset-…` header is used up, by the `…-remaining-…` header beside it. */
function isUsedUp(headers: ResponseHeaders, reset: string): boolean {
	return numberIn(textOf(headers, reset.replace('reset', 'remaining'))) === 0;
}

function textOf(headers: ResponseHeaders, name: string): string {
	return headerValue(headers, name)?.trim() ?? '';
}

const UNITS: Record<string, number> = {
	...{ ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 },
	...{ 秒: 1000, 分钟: 60_000, 小时: 3_600_000 },
};

/** Reads a duration such as "1m40s" or "250ms". */
function durationIn(text: string): number | undefined {
	return /^(\d{1,9}(\.\d{1,9})?(ms|[smhd]))+$/i.test(text) ? sumOfParts(text) : undefined;
}

function sumOfParts(text: string): number {
	const parts = text.toLowerCase().matchAll(/(\d{1,9}(?:\.\d{1,9})?)\s?(ms|[smhd])/g);
	return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit], 0);
}

/**
 * Matches seconds in a field: `retry_after` of Cloudflare, `retryDelay` of Google, also in a message (CliRelay#240), or
 * `estimated_time` of Hugging Face, until a model is loaded, or `resets_in_seconds` of Codex (CLIProxyAPI#1666).
 */
const FIELD =
	/"(?:retry[_-]?(?:after|delay)(?:_seconds)?|estimated_time|resets_in_seconds)\\?":\s?\\?"?(\d{1,9}(?:\.\d{1,9})?)/i;
/** Matches a time since the epoch in a field: OpenRouter repeats the headers of its provider in the body. */
const MOMENT = /"x-ratelimit-reset":\s?"?(\d{10,13})\b/i;
/** Matches words of OpenAI, Azure, Replicate ("resets in ~3s"), Django REST ("in 1 second"), and GitHub ("wait 60"). */
const WORDS =
	/\b(?:retry|again|wait|available|resets?)\b[^.\d]{0,20}((?:\s?\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|m|h|sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?)(?![a-z]))+)/i;
/** Matches the same in Chinese: "请 30 秒后再试", "请在15分钟后重试". */
const CHINESE_WORDS = /(\d{1,9})\s?(秒|分钟|小时)[之以]?后(?:再试|重试|重置|恢复)/;
/**
 * Matches the moment at which a limit of Zhipu or Z.ai ends, in Beijing time, also in English (oh-my-pi#11014, code
 * 1308): "Your limit will reset at 2026-09-12 00:35:41".
 */
const BEIJING_TIME = /(?:\breset at|将在)\s?(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?!\s?(?:Z|UTC|GMT|[+-]\d))/i;

/** Returns how many milliseconds a failed response asks to wait, as JSON or in words such as "try again in 1m30s". */
export function waitIn(text: string, now: number): number | undefined {
	const seconds = FIELD.exec(text)?.[1];
	if (seconds !== undefined) return Number(seconds) * 1000;
	const moment = MOMENT.exec(text)?.[1];
	if (moment !== undefined) return untilNumber(moment, now);
	const [, day, time] = BEIJING_TIME.exec(text) ?? [];
	if (day !== undefined) return untilDate(`${day}T${time}+08:00`, now);
	const [, count, unit] = CHINESE_WORDS.exec(text) ?? [];
	if (count !== undefined) return Number(count) * UNITS[unit];
	const duration = WORDS.exec(text)?.[1];
	return duration === undefined ? undefined : sumOfParts(duration);
}
