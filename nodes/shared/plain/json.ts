import { excessOf, parseJson, replacedOutsideStrings, withWholeIntegers } from './values';
import { Turns } from './turns';
import { JSON_BUDGET } from './budgets';

/** The reason for a text that is not JSON at all, or not whole. */
export const NOT_JSON = 'it is not valid JSON, or it was cut off';

/** Number of characters that take some milliseconds to parse. */
const LARGE = 500_000;

/** The value of JSON from outside, or why it cannot be used. @param isOfModel its long integers are numbers, as written */
export async function readJsonText(
	text: string,
	maxValues = JSON_BUDGET.values,
	isOfModel = false,
): Promise<{ value: unknown } | { problem: string }> {
	if (text === '') return { problem: 'it is empty' };
	// Each large text has a turn of the event loop of its own.
	if (text.length > LARGE) await new Turns().next();
	const problem = excessOf(text, maxValues);
	if (problem) return { problem };
	if (isOfModel) return parsed(text) ?? { problem: NOT_JSON };
	const json = withWholeIntegers(text);
	return parsed(json) ?? parsed(withoutNoNumbers(json)) ?? { problem: NOT_JSON };
}

function parsed(json: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(json) as unknown };
	} catch {
		return undefined;
	}
}

/** Matches what Python's `json.dumps` writes for numbers that JSON does not have (its documentation: `allow_nan`). */
const NO_NUMBERS = /(?<![\w.+-])-?(?:NaN|Infinity)(?![\w.+-])/g;

function withoutNoNumbers(json: string): string {
	return replacedOutsideStrings(json, NO_NUMBERS, () => 'null');
}

/**
 * Stands in a text before the digits of a long integer that is to be sent: no JavaScript number can hold them. It is a
 * noncharacter of Unicode, which no text from outside should contain.
 */
const MARK = '\ufdd0';
const MARKED = /(?<=^|[:,[])"\ufdd0(-?[1-9]\d{15,})"(?=$|[,}\]])/g;

/** Like {@link parseJson}, for what is sent with all digits of its long integers; see {@link withLongIntegers}. */
export function parseToSend(text: string): { value: unknown } | undefined {
	return parseJson(withWholeIntegers(text, MARK));
}

/** JSON that is sent, with the long integers of {@link parseToSend} as the numbers that they are. */
export function withLongIntegers(json: string): string {
	return json.includes(MARK) ? json.replace(MARKED, '$1') : json;
}
