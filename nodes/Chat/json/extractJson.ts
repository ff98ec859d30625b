import { parseJson } from '../../shared/values';

/** Most characters that are looked through for JSON that stands inside other text, in multiples of the text. */
const MAX_PASSES = 8;

/** A JSON value and the text it was read from. */
interface Found {
	value: unknown;
	text: string;
}

/**
 * Finds the JSON in an answer: the whole text, or what stands in a code fence, or an object or a list
 * between other words. Of several that fit the largest is taken, since small ones are often quotations.
 *
 * @param fits whether a value is what is wanted; a value that does not fit is taken when none does
 * @returns the value in a box, or undefined when the text holds no JSON
 */
export function extractJson(text: string, fits: (value: unknown) => boolean): { value: unknown } | undefined {
	let other: Found | undefined;
	for (const find of [wholeText, fencedBlocks, embeddedValues]) {
		const found = find(text);
		const fitting = largest(found.filter(({ value }) => fits(value)));
		if (fitting) return { value: fitting.value };
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
	const pieces = text.split('```');
	// Every second piece stands inside a fence; its first line may name the language.
	return pieces
		.filter((_piece, index) => index % 2 === 1)
		.flatMap((piece) => {
			const inner = piece.trim();
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

/** Where the brackets that open at `start` are all closed again; brackets in JSON texts do not count. */
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
