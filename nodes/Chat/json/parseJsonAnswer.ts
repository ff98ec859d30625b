import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { parsedOrProblem } from '../../shared/http/answerReaders';
import type { JsonBudget } from '../../shared/http/budgets';
import { Turns } from '../../shared/pacing/turns';
import { type ChatAnswer, simplifiedOutput } from '../formats/answer';
import { JSON_SCHEMA, type JsonOptions, SEND_SCHEMA } from './fields';
import { firstMismatch } from './jsonSchema';

/**
 * The JSON in an answer.
 *
 * @throws GatewayFailure (kind `answer`) when there is none, or it does not match the schema; the failure keeps the answer
 */
export async function parseJsonAnswer(answer: ChatAnswer, { schema }: JsonOptions): Promise<unknown> {
	const mismatchOf = (value: unknown) => (schema === undefined ? undefined : firstMismatch(schema, value));
	const found = await extractJson(answer.text, (value) => mismatchOf(value) === undefined);
	const mismatch = found && mismatchOf(found.value);
	if (found && mismatch === undefined) return found.value;
	throw unusableFailure(answer, mismatch);
}

function unusableFailure(answer: ChatAnswer, mismatch: string | undefined): GatewayFailure {
	const what =
		mismatch === undefined ? 'contains no JSON' : `does not match ${JSON_SCHEMA.displayName}: ${mismatch}`;
	return new GatewayFailure('answer', `The model's answer ${what}`, adviceFor(answer.finishReason), {
		partial: simplifiedOutput(answer),
	});
}

function adviceFor(finishReason: string): string {
	const kept = 'The details contain the answer.';
	if (finishReason === 'length') {
		return `${kept} It was cut off. Increase Max Tokens (Max Output Tokens), or ask for less.`;
	}
	if (finishReason === 'refusal' || finishReason === 'content_filter') {
		return `${kept} The model did not answer (${finishReason}). Rephrase the prompt.`;
	}
	return `${kept} In the prompt, ask for JSON only and name its fields, add an example, or set ${JSON_SCHEMA.displayName} and turn on ${SEND_SCHEMA.displayName}.`;
}

/** Maximum number of characters to scan for JSON inside other text, as a multiple of the text's length. */
const MAX_PASSES = 8;

/** Longer answers must be JSON as a whole. */
export const MAX_SEARCHED = 1_000_000;

/** What is checked against a schema value by value. */
const ANSWER_BUDGET: JsonBudget = { bytes: MAX_SEARCHED, values: 50_000, numbers: 100_000 };

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
export async function extractJson(
	text: string,
	matches: (value: unknown) => boolean,
): Promise<{ value: unknown } | undefined> {
	let other: Found | undefined;
	for (const find of text.length > MAX_SEARCHED ? [wholeText] : [wholeText, fencedBlocks, embeddedValues]) {
		const found = await find(text);
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

async function parsed(text: string): Promise<Found[]> {
	const result = await parsedOrProblem(text, ANSWER_BUDGET, false);
	return 'value' in result ? [{ value: result.value, text }] : [];
}

async function wholeText(text: string): Promise<Found[]> {
	return await parsed(text.trim());
}

async function fencedBlocks(text: string): Promise<Found[]> {
	const found: Found[] = [];
	const turns = new Turns();
	const sections = text.split('```');
	// Every second section is inside a fence; its first line may name the language.
	for (let index = 1; index < sections.length; index += 2) {
		if (turns.isOver) await turns.next();
		const inner = sections[index].trim();
		const whole = await parsed(inner);
		found.push(...(whole.length > 0 ? whole : await parsed(inner.slice(inner.indexOf('\n') + 1))));
	}
	return found;
}

async function embeddedValues(text: string): Promise<Found[]> {
	const found: Found[] = [];
	const turns = new Turns();
	let left = MAX_PASSES * text.length;
	for (let start = nextStart(text, 0); start >= 0 && left > 0;) {
		const end = endOf(text, start);
		const [value] = end === undefined ? [] : await parsed(text.slice(start, end));
		if (turns.isOver) await turns.next();
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
