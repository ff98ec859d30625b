import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { type ChatAnswer, simplifiedOutput } from '../formats/answer';
import type { JsonOptions } from './fields';
import { findJson, type Found } from './findJson';

/**
 * The JSON in an answer.
 *
 * @throws GatewayFailure (kind `answer`) when there is none, or it does not match the schema; the failure keeps the answer
 */
export async function parseJsonAnswer(
	answer: ChatAnswer,
	{ schema }: Pick<JsonOptions, 'schema'>,
): Promise<unknown> {
	const mismatchOf = (value: unknown) => schema?.mismatch(value);
	const matches = (value: unknown) => mismatchOf(value) === undefined;
	const found = await extractJson(answer.text, matches, schema === undefined);
	const mismatch = found && mismatchOf(found.value);
	if (found && mismatch === undefined) return found.value;
	throw unusableFailure(answer, mismatch);
}

function unusableFailure(answer: ChatAnswer, mismatch: string | undefined): GatewayFailure {
	const what = mismatch === undefined ? 'contains no JSON' : `does not match the schema: ${mismatch}`;
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
	return `${kept} In the prompt, ask for JSON only and name its fields, or choose another Schema.`;
}

/**
 * Finds the JSON in an answer. What has no end is never taken, nor are parts of it.
 *
 * @param matches whether a value is usable; a value that is not is returned only when none is
 * @param mayBeProse see {@link findJson}
 * @returns the value in a box, or undefined when the text contains no JSON
 */
export async function extractJson(
	text: string,
	matches: (value: unknown) => boolean,
	mayBeProse = false,
): Promise<{ value: unknown } | undefined> {
	let other: Found | undefined;
	for await (const found of findJson(withoutThinking(text), mayBeProse)) {
		const matching = likeliest(found.filter(({ value }) => matches(value)));
		if (matching) return { value: matching.value };
		other ??= likeliest(found);
	}
	return other && { value: other.value };
}

/** The last large value: small ones are often quotations, and models correct themselves. */
function likeliest(found: Found[]): Found | undefined {
	const longest = found.reduce((most, { text }) => Math.max(most, text.length), 0);
	return found.findLast(({ text }) => 2 * text.length > longest);
}

/** How models mark what they think before they answer. */
const OPENING = /<(?:think|thinking|thought|reasoning)>/i;
const LEADING = /^\s*<(?:think|thinking|thought|reasoning)>/i;
const CLOSING = /<\/(?:think|thinking|thought|reasoning)>/gi;

/** An answer that begins at once may be about tags. */
const ANSWER = /^\s*(?:[{["]|```)/;

/**
 * An answer without what the model thought before it, which may contain drafts of the answer. Some models' templates leave
 * out the opening tag.
 *
 * @returns an empty text if the model did not stop thinking
 */
function withoutThinking(text: string): string {
	if (ANSWER.test(text)) return text;
	const isMarked = LEADING.test(text);
	if (!isMarked && OPENING.test(text)) return text;
	let end = 0;
	for (const { index, 0: tag } of text.matchAll(CLOSING)) {
		end = index + tag.length;
		if (isMarked && !LEADING.test(text.slice(end))) return text.slice(end);
	}
	return isMarked ? '' : text.slice(end);
}
