/** Deeper values overflow the stack of the code that copies or saves items. */
export const MAX_DEPTH = 500;

/**
 * Why a JSON text is too much for n8n, as the end of a sentence about it. The text is not parsed for that: a few
 * megabytes of `{}` would fill the memory.
 *
 * @param maxValues maximum number of objects, lists, texts, and names of fields
 * @returns undefined if it may be parsed
 */
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

/** An integer that may have more digits than a number can hold. */
const LONG_INTEGER = /(?<![\w.+-])-?[1-9]\d{15,}(?![\w.+-])/g;

/** JSON in which integers with more digits than a number can hold are texts: most of them are IDs. */
export function withWholeIntegers(json: string): string {
	const pieces: string[] = [];
	let kept = 0;
	let string = { start: 0, end: 0 };
	for (const { 0: integer, index } of json.matchAll(LONG_INTEGER)) {
		while (string.end <= index) string = stringAfter(json, string.end);
		if (string.start < index || String(Number(integer)) === integer) continue;
		pieces.push(json.slice(kept, index), '"', integer, '"');
		kept = index + integer.length;
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
