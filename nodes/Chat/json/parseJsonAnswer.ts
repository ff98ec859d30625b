import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { type ChatAnswer, simplifiedOutput } from '../formats/answer';
import { JSON_SCHEMA, type JsonOptions } from './fields';
import { type Find, type Found, findEmbedded, findInFences, findWhole, MAX_SEARCHED } from './findJson';
import { withoutThinking } from './thinking';

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
	// Without a schema, something in braces may be prose, so that only JSON between other words counts.
	const leniency = schema === undefined ? 'delimited' : 'anywhere';
	const found = await extractJson(answer.text, (value) => mismatchOf(value) === undefined, leniency);
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
	return `${kept} In the prompt, ask for JSON only and name its fields, add an example, or set ${JSON_SCHEMA.displayName}.`;
}

export { MAX_SEARCHED };

/** Where something that is only nearly JSON counts; `delimited`: as the whole answer, or in a code fence. */
export type Leniency = 'none' | 'delimited' | 'anywhere';

/** How answers are read, the most certain way first, each with the leniency that it requires. */
const WAYS: Array<[find: Find, requires: Leniency]> = [
	[findWhole.strict, 'none'],
	// JSON inside something that can be read as a whole is a part of the answer.
	[findWhole.lenient, 'delimited'],
	[findInFences.strict, 'none'],
	[findEmbedded.strict, 'none'],
	[findInFences.lenient, 'delimited'],
	[findEmbedded.lenient, 'anywhere'],
];
const ALLOWED: Record<Leniency, Leniency[]> = {
	none: ['none'],
	delimited: ['none', 'delimited'],
	anywhere: ['none', 'delimited', 'anywhere'],
};

/**
 * Finds the JSON in an answer: the whole text, the content of a code fence, or an object or list between other words.
 * JSON counts before something that is only nearly JSON, see `readLenientJson`. What has no end is never taken, nor are
 * parts of it.
 *
 * @param matches whether a value is usable; a value that is not is returned only when none is
 * @returns the value in a box, or undefined when the text contains no JSON
 */
export async function extractJson(
	text: string,
	matches: (value: unknown) => boolean,
	leniency: Leniency = 'none',
): Promise<{ value: unknown } | undefined> {
	let other: Found | undefined;
	const answer = withoutThinking(text);
	for (const [find, requires] of text.length > MAX_SEARCHED ? WAYS.slice(0, 1) : WAYS) {
		if (!ALLOWED[leniency].includes(requires)) continue;
		const found = await find(answer);
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
