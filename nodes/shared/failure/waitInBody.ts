/** Seconds in a field: `retry_after` of Cloudflare, or `retryDelay` of Google. */
const FIELD = /"retry_?(?:after|delay)":\s?"?(\d{1,9}(?:\.\d{1,9})?)/i;
/** Of OpenAI, Azure, Replicate ("resets in ~3s"), Django REST ("available in 1 second"), and GitHub ("wait 60 seconds"). */
const WORDS =
	/\b(?:retry|again|wait|available|resets)\b[^.\d]{0,20}((?:\s?\d{1,9}(?:\.\d{1,9})?\s?(?:ms|s|m|h|sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?)(?![a-z]))+)/i;
const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** How many milliseconds a failed response asks to wait, as JSON or in words such as "try again in 1m30s". */
export function waitIn(text: string): number | undefined {
	const seconds = FIELD.exec(text)?.[1];
	if (seconds !== undefined) return Number(seconds) * 1000;
	const [, duration = ''] = WORDS.exec(text) ?? [];
	const parts = [...duration.matchAll(/(\d{1,9}(?:\.\d{1,9})?)\s?(ms|[smh])/gi)];
	if (parts.length === 0) return undefined;
	return parts.reduce((sum, [, count, unit]) => sum + Number(count) * UNITS[unit.toLowerCase()], 0);
}
