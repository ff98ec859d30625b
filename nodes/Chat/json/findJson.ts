import { JSON_BUDGET } from '../../shared/plain/budgets';
import { readJsonText } from '../../shared/plain/json';
import { inTurns, Turns } from '../../shared/plain/turns';
import { readLenientJson } from './lenientJson';

/** Longer answers must be JSON as a whole. */
export const MAX_SEARCHED = 1_000_000;

/** What is checked against a schema value by value. */
const MAX_VALUES = 50_000;

/** Maximum number of characters to scan for JSON inside other text, as a multiple of the text's length. */
const MAX_PASSES = 4;

/** Brackets in a text that may begin a value; each takes some time. */
const MAX_STARTS = 20_000;

/** JSON inside a JSON string inside a JSON string. */
const MAX_ENCODINGS = 2;

/** A value, and the text it was read from. */
export interface Found {
	value: unknown;
	text: string;
}

/** Finds the values in a text. */
export type Find = (text: string) => Promise<Found[]>;

/** One place to look for JSON: for what is JSON, and for what is only nearly JSON. */
interface Place {
	strict: Find;
	lenient: Find;
}

/** The text as a whole. */
export const findWhole: Place = {
	strict: async (text) => await parsed(text.trim(), text, JSON_BUDGET.values),
	lenient: async (text) => await nearlyParsed(text, MAX_ENCODINGS),
};

/** The contents of code fences. */
export const findInFences: Place = {
	strict: async (text) => await fenced(text, findWhole.strict),
	lenient: async (text) => await fenced(text, findWhole.lenient),
};

/** Objects and lists between other words, not inside others. */
export const findEmbedded: Place = {
	strict: async (text) => await embedded(text, true),
	lenient: async (text) => await embedded(text, false),
};

async function parsed(json: string, text = json, maxValues = MAX_VALUES): Promise<Found[]> {
	const result = await readJsonText(json, maxValues, false);
	return 'value' in result ? [{ value: result.value, text }] : [];
}

/** @param encodings how often the value may have been encoded as a JSON string */
async function nearlyParsed(text: string, encodings: number): Promise<Found[]> {
	const reading = await inTurns(readLenientJson(text, 0, true));
	if (reading.kind !== 'value') return await unescaped(text, encodings);
	const found = await parsed(reading.json, text);
	const inner = found[0]?.value;
	if (typeof inner !== 'string') return found;
	return encodings > 0 ? await nearlyParsed(inner, encodings - 1) : [];
}

/** JSON as the content of a JSON string, without the quotation marks around it: `{\"name\": 1}`. */
async function unescaped(text: string, encodings: number): Promise<Found[]> {
	const content = text.trim();
	if (encodings === 0 || !/^[[{][[{\s]{0,1000}\\["n]/.test(content)) return [];
	return await nearlyParsed(`"${content}"`, encodings);
}

async function fenced(text: string, find: Find): Promise<Found[]> {
	const found: Found[] = [];
	const turns = new Turns();
	const sections = text.split('```');
	// Every second section is inside a fence, which may begin with the name of a language.
	for (let index = 1; index < sections.length; index += 2) {
		if (turns.isOver) await turns.next();
		const inner = sections[index].trim();
		const whole = await find(inner);
		found.push(...(whole.length > 0 ? whole : await find(inner.replace(/^[^\n{[]{1,100}\s/, ''))));
	}
	return found;
}

async function embedded(text: string, isStrict: boolean): Promise<Found[]> {
	const found: Found[] = [];
	const turns = new Turns();
	let left = MAX_PASSES * text.length;
	let starts = 0;
	for (let start = nextStart(text, 0); start >= 0 && left > 0 && starts < MAX_STARTS; starts++) {
		if (turns.isOver) await turns.next();
		const reading = await inTurns(readLenientJson(text, start));
		left -= reading.end - start;
		// What was cut off may have been the answer.
		if (reading.kind === 'cut') return [];
		if (reading.kind === 'value' && reading.isStrict === isStrict) {
			found.push(...(await parsed(reading.json, text.slice(start, reading.end))));
		}
		start = nextStart(text, reading.kind === 'value' ? reading.end : reading.resume);
	}
	return found;
}

function nextStart(text: string, from: number): number {
	const length = text.slice(from).search(/[[{［｛]/);
	return length < 0 ? -1 : from + length;
}
