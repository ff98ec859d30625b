import { parseJson } from '../../shared/values';

/** Maximum number of characters to scan for JSON inside other text, as a multiple of the text's length. */
const MAX_PASSES = 8;

/** A JSON value and the text it was read from. */
interface Found {
	value: unknown;
	text: string;
}

/**
 * Finds the JSON in an answer: the whole text, the content of a code fence, or an object or list between other words.
 * Of several matches, the largest wins, because small ones are often quotations.
 *
 * @param matches whether a value is usable; a value that is not is returned only when none is
 * @returns the value in a box, or undefined when the text contains no JSON
 */
export function extractJson(
	text: string,
	matches: (value: unknown) => boolean,
): { value: unknown } | undefined {
	let other: Found | undefined;
	for (const find of [wholeText, fencedBlocks, embeddedValues]) {
		const found = find(text);
		const matching = largest(found.filter(({ value }) => matches(value)));
		if (matching) return { value: matching.value };
		other ??= largest(found);
	}
	return other && { value: other.value };
}

function largest(found: Found[]): Found | undefined {
	return found.reduce<Found | undefined>(
		(best, next) => (best && best.text.length >= next.text.length ? best : next),
		undefined,
	);
}

function parsed(text: string): Found[] {
	const result = parseJson(text);
	return result ? [{ value: result.value, text }] : [];
}

function wholeText(text: string): Found[] {
	return parsed(text.trim());
}

function fencedBlocks(text: string): Found[] {
	const sections = text.split('```');
	// Every second section is inside a fence; its first line may name the language.
	return sections
		.filter((_section, index) => index % 2 === 1)
		.flatMap((section) => {
			const inner = section.trim();
			const whole = parsed(inner);
			return whole.length > 0 ? whole : parsed(inner.slice(inner.indexOf('\n') + 1));
		});
}

function embeddedValues(text: string): Found[] {
	const found: Found[] = [];
	let left = MAX_PASSES * text.length;
	for (let start = nextStart(text, 0); start >= 0 && left > 0;) {
		const end = endOf(text, start);
		const [value] = end === undefined ? [] : parsed(text.slice(start, end));
		left -= (end ?? text.length) - start;
		if (value) found.push(value);
		start = nextStart(text, value && end !== undefined ? end : start + 1);
	}
	return found;
}

function nextStart(text: string, from: number): number {
	const length = text.slice(from).search(/[[{]/);
	return length < 0 ? -1 : from + length;
}

/** The index after the bracket that closes the one at `start`; brackets in JSON strings do not count. */
function endOf(text: string, start: number): number | undefined {
	let depth = 0;
	let inText = false;
	for (let index = start; index < text.length; index++) {
		const character = text[index];
		if (inText) {
			if (character === '\\') index += 1;
			else if (character === '"') inText = false;
		} else if (character === '"') {
			inText = true;
		} else if (character === '{' || character === '[') {
			depth += 1;
		} else if (character === '}' || character === ']') {
			depth -= 1;
			if (depth === 0) return index + 1;
		}
	}
	return undefined;
}
