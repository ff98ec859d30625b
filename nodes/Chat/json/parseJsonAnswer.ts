import { GatewayFailure } from '../../shared/failure/failure';
import { type ChatAnswer, simplifiedOutput } from '../formats/answer';
import type { JsonOptions } from './fields';
import { JSON_BUDGET } from '../../shared/plain/budgets';
import { readJsonText, parseJson, withWholeIntegers } from '../../shared/plain/json';
import { inTurns, Turns } from '../../shared/plain/turns';
import { withoutThoughts } from '../../shared/plain/thoughts';
import { readLenientJson } from './lenientJson';

/** Returns the JSON in an answer. @throws GatewayFailure with the answer, if there is none or it does not match */
export async function parseJsonAnswer(
	answer: ChatAnswer,
	{ schema }: Pick<JsonOptions, 'schema'>,
): Promise<unknown> {
	const mismatchOf = (value: unknown) => schema?.mismatch(value);
	const matches = (value: unknown) => mismatchOf(value) === undefined;
	const found = await extractJson(answer.text, matches, schema === undefined);
	const mismatch = found && mismatchOf(found.value);
	// More digits may have been to come.
	const mayGoOn = typeof found?.value === 'number' && answer.text.endsWith(found.json);
	const isCut = mayGoOn && answer.finishReason === 'length';
	if (found && mismatch === undefined && !isCut) return withDigits(found);
	throw unusableFailure(answer, mismatch);
}

function unusableFailure(answer: ChatAnswer, mismatch: string | undefined): GatewayFailure {
	const what = mismatch === undefined ? 'contains no JSON' : `does not match the schema: ${mismatch}`;
	const advice =
		mismatch === undefined
			? 'In the prompt, ask for JSON only and name its fields.'
			: 'In the prompt, say what this field must contain, or change the schema.';
	return new GatewayFailure('answer', `The model's answer ${what}`, adviceFor(answer.finishReason, advice), {
		partial: simplifiedOutput(answer),
	});
}

function adviceFor(finishReason: string, otherwise: string): string {
	if (finishReason === 'length') {
		return 'The answer was cut off. Increase Max Tokens in Options, or ask for less.';
	}
	if (finishReason === 'refusal' || finishReason === 'content_filter') {
		return `The model did not answer (${finishReason}). Rephrase the prompt.`;
	}
	return otherwise;
}

/**
 * Finds the JSON in an answer; never a part of what was cut off. A value that does not match is returned only when
 * none does, and undefined when there is none.
 */
export async function extractJson(
	text: string,
	matches: (value: unknown) => boolean,
	mayBeProse = false,
): Promise<Found | undefined> {
	let other: Found | undefined;
	for await (const found of findJson(withoutThoughts(text), mayBeProse)) {
		const matching = likeliest(found.filter(({ value }) => matches(value)));
		if (matching) return matching;
		other ??= likeliest(found);
	}
	return other;
}

/** Returns the value. Integers with more digits than a number can hold become texts. */
function withDigits({ value, json }: Found): unknown {
	const whole = withWholeIntegers(json);
	return whole === json ? value : parseJson(whole)?.value;
}

/** Returns the last large value: small ones are often quotations, and models correct themselves. */
function likeliest(found: Found[]): Found | undefined {
	const longest = found.reduce((most, { text }) => Math.max(most, text.length), 0);
	return found.findLast(({ text }) => 2 * text.length > longest);
}

/** Longer answers must be JSON as a whole. */
const MAX_SEARCHED = 1_000_000;

/** The most values in JSON inside a text, because all of it is checked against the schema. */
const MAX_VALUES = 50_000;

/** Maximum number of characters to scan for JSON inside other text, as a multiple of the text's length. */
const MAX_PASSES = 4;

/** The most brackets to try as the beginning of a value, because each takes some time. */
const MAX_STARTS = 20_000;

/** The most encodings as a string: JSON inside a JSON string inside a JSON string. */
const MAX_ENCODINGS = 2;

interface Found {
	value: unknown;
	/** The JSON of the value. `text` is the part of the answer that it was read from. */
	json: string;
	text: string;
	isStrict: boolean;
}

/**
 * Finds the values in a text, the most certain ones first: the text as a whole, code fences, and objects and lists
 * between other words, which have to be JSON if they may be prose.
 */
async function* findJson(text: string, mayBeProse: boolean): AsyncGenerator<Found[]> {
	yield await valueOf(text.trim(), text, JSON_BUDGET.values);
	if (text.length > MAX_SEARCHED) return;
	// JSON inside something that can be read as a whole is a part of the answer.
	yield await leniently(text);
	const [fenced, embedded] = [await inFences(text), await betweenWords(text)];
	yield fenced.filter(({ isStrict }) => isStrict);
	yield embedded.filter(({ isStrict }) => isStrict);
	yield fenced.filter(({ isStrict }) => !isStrict);
	if (!mayBeProse) yield embedded.filter(({ isStrict }) => !isStrict);
}

/** Reads a value, if the text is JSON. @param text the part of the answer that the JSON was read from */
async function valueOf(json: string, text: string, maxValues = MAX_VALUES): Promise<Found[]> {
	const result = await readJsonText(json, maxValues, true);
	return 'value' in result ? [{ value: result.value, json, text, isStrict: json === text }] : [];
}

/** @param encodings how often the value may have been encoded as a JSON string */
async function leniently(text: string, encodings = MAX_ENCODINGS): Promise<Found[]> {
	const reading = await inTurns(readLenientJson(text, 0, true));
	if (reading.kind !== 'value') return await unescaped(text, encodings);
	const found = await valueOf(reading.json, text);
	const [inner] = found.map(({ value }) => value);
	if (typeof inner !== 'string') return found;
	return encodings > 0 ? await leniently(inner, encodings - 1) : [];
}

/** Reads JSON that is a JSON string without its quotation marks, as jsonrepair documents it: `{\"name\": 1}`. */
async function unescaped(text: string, encodings: number): Promise<Found[]> {
	const content = text.trim();
	if (encodings === 0 || !/^[[{][[{\s]{0,1000}\\["n]/.test(content)) return [];
	return await leniently(`"${content}"`, encodings);
}

async function inFences(text: string): Promise<Found[]> {
	const found: Found[] = [];
	const turns = new Turns();
	const sections = text.split('```');
	for (let index = 1; index < sections.length; index += 2) {
		if (turns.isOver) await turns.next();
		// A fence may begin with the name of a language, or with another line; but that may also be a string or a comment.
		const content = sections[index].trim().replace(/^(?!["'“„‘＂/#])[^\n{[｛［]{1,100}\s/, '');
		const strict = await valueOf(content, content);
		const isString = strict.every(({ value }) => typeof value === 'string');
		found.push(...strict, ...(isString ? await leniently(content) : []));
	}
	return found;
}

/** Finds objects and lists between other words, but not inside each other. */
async function betweenWords(text: string): Promise<Found[]> {
	const found: Found[] = [];
	const turns = new Turns();
	let left = MAX_PASSES * text.length;
	let starts = 0;
	for (let start = nextStart(text, 0); start >= 0 && left > 0 && starts < MAX_STARTS; starts++) {
		if (turns.isOver) await turns.next();
		const reading = await inTurns(readLenientJson(text, start));
		left -= reading.end - start;
		// The value that was cut off may have been the answer.
		if (reading.kind === 'cut') return [];
		if (reading.kind === 'value') {
			const source = text.slice(start, reading.end);
			const strict = await valueOf(source, source);
			found.push(...(strict.length > 0 ? strict : await valueOf(reading.json, source)));
		}
		start = nextStart(text, reading.kind === 'value' ? reading.end : reading.resume);
	}
	return found;
}

function nextStart(text: string, from: number): number {
	const length = text.slice(from).search(/[[{［｛]/);
	return length < 0 ? -1 : from + length;
}
