import { JSON_BUDGET } from './budgets';
import { Turns } from './turns';

/** The problem with a text that is not JSON, or only a part of it. */
export const NOT_JSON = 'it is not valid JSON, or it was cut off';

/** A text of this many characters takes some milliseconds to parse. */
const LARGE = 500_000;

/** Parses JSON from outside. @param isOfModel keeps long integers as numbers @returns the value, or the problem */
export async function readJsonText(
	text: string,
	maxValues = JSON_BUDGET.values,
	isOfModel = false,
): Promise<{ value: unknown } | { problem: string }> {
	if (text === '') return { problem: 'it is empty' };
	// Each large text is parsed in a separate turn of the event loop.
	if (text.length > LARGE) await new Turns().next();
	const problem = excessOf(text, maxValues);
	if (problem) return { problem };
	if (isOfModel) return parsed(text) ?? { problem: NOT_JSON };
	const json = withWholeIntegers(text);
	const withNulls = () => replacedOutsideStrings(json, NO_NUMBERS, () => 'null');
	return parsed(json) ?? parsed(withNulls()) ?? { problem: NOT_JSON };
}

/** Parses JSON into `{ value }`; undefined for text that is not JSON, or is nested deeper than n8n can handle. */
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

/** Says, as the end of a sentence, why JSON is too much for n8n: megabytes of `{}` would fill the memory. */
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

/** Turns the integers in JSON that no number can hold, mostly IDs, into texts. @param before a prefix of these texts */
export function withWholeIntegers(json: string, before = ''): string {
	return replacedOutsideStrings(json, LONG_INTEGER, (integer) =>
		String(Number(integer)) === integer ? integer : `"${before}${integer}"`,
	);
}

/** Replaces the values in JSON that a pattern matches outside of strings. */
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

/** Finds the first string after an index outside of strings; the end of the text if there is none. */
function stringAfter(json: string, outside: number): { start: number; end: number } {
	const start = json.indexOf('"', outside);
	return start < 0 ? { start: json.length, end: json.length } : { start, end: endOfString(json, start) + 1 };
}

/** Finds the quotation mark that ends the string at `start`; the end of the text if there is none. */
function endOfString(text: string, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at;
}

/** Matches what Python's `json.dumps` writes for numbers that JSON does not have (its documentation: `allow_nan`). */
const NO_NUMBERS = /(?<![\w.+-])-?(?:NaN|Infinity)(?![\w.+-])/g;

/**
 * Marks a text as the digits of a long integer to be sent, which no JavaScript number can hold. It is a noncharacter of
 * Unicode, which no text from outside should contain.
 */
const MARK = '\ufdd0';
const MARKED = /(?<=^|[:,[])"\ufdd0(-?[1-9]\d{15,})"(?!:)/g;

/** Parses JSON like {@link parseJson}, but keeps all digits of long integers for {@link withLongIntegers}. */
export function parseToSend(text: string): { value: unknown } | undefined {
	return parseJson(withWholeIntegers(text, MARK));
}

/** Turns the long integers of {@link parseToSend} back into numbers, in JSON that is about to be sent. */
export function withLongIntegers(json: string): string {
	return json.includes(MARK) ? json.replace(MARKED, '$1') : json;
}
