import { JSON_BUDGET } from './budgets';
import { Turns } from './turns';

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
	const withNulls = () => replacedOutsideStrings(json, NO_NUMBERS, () => 'null');
	return parsed(json) ?? parsed(withNulls()) ?? { problem: NOT_JSON };
}

/** The parsed value in a box, or undefined for text that is not JSON or is nested deeper than n8n can handle. */
export function parseJson(text: string): { value: unknown } | undefined {
	return excessOf(text) ? undefined : parsed(text);
}

function parsed(json: string): { value: unknown } | undefined {
	try {
		return { value: JSON.parse(json) as unknown };
	} catch {
		return undefined;
	}
}

/** Deeper values overflow the stack of the code that copies or saves items. */
export const MAX_DEPTH = 500;

/** Why a JSON text is too much for n8n, as the end of a sentence. Parsing megabytes of `{}` would fill the memory. */
export function excessOf(text: string, maxValues = Number.POSITIVE_INFINITY): string | undefined {
	// Each level needs two brackets, so most texts need no scan.
	if (text.length < 2 * MAX_DEPTH) return undefined;
	let depth = 0;
	let values = 0;
	const structure = /["[\]{}]/g;
	while (structure.test(text)) {
		const at = structure.lastIndex - 1;
		const character = text[at];
		if (character === ']' || character === '}') {
			depth -= 1;
			continue;
		}
		values += 1;
		if (values > maxValues) return `it contains more than ${maxValues} values`;
		if (character === '"') structure.lastIndex = endOfString(text, at) + 1;
		else depth += 1;
		if (depth > MAX_DEPTH) return 'its JSON is nested too deeply';
	}
	return undefined;
}

const LONG_INTEGER = /(?<![\w.+-])-?[1-9]\d{15,}(?![\w.+-])/g;

/** JSON in which integers with more digits than a number can hold are texts: most of them are IDs. @param before the digits in these texts */
export function withWholeIntegers(json: string, before = ''): string {
	return replacedOutsideStrings(json, LONG_INTEGER, (integer) =>
		String(Number(integer)) === integer ? integer : `"${before}${integer}"`,
	);
}

/** JSON with other values in place of those that the pattern finds outside of strings. */
function replacedOutsideStrings(
	json: string,
	pattern: RegExp,
	replacement: (found: string) => string,
): string {
	const pieces: string[] = [];
	let kept = 0;
	let string = { start: 0, end: 0 };
	for (const { 0: found, index } of json.matchAll(pattern)) {
		while (string.end <= index) string = stringAfter(json, string.end);
		if (string.start < index) continue;
		pieces.push(json.slice(kept, index), replacement(found));
		kept = index + found.length;
	}
	return kept === 0 ? json : pieces.join('') + json.slice(kept);
}

/** The first string from a place outside of strings; the end of the text if there is none. */
function stringAfter(json: string, outside: number): { start: number; end: number } {
	const start = json.indexOf('"', outside);
	return start < 0 ? { start: json.length, end: json.length } : { start, end: endOfString(json, start) + 1 };
}

/** The index of the quotation mark that ends the string which begins at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at;
}

/** Matches what Python's `json.dumps` writes for numbers that JSON does not have (its documentation: `allow_nan`). */
const NO_NUMBERS = /(?<![\w.+-])-?(?:NaN|Infinity)(?![\w.+-])/g;

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
