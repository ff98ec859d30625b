import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { simplifiedOutput, type ChatAnswer } from '../formats/answer';
import { extractJson } from './extractJson';
import { JSON_SCHEMA, SEND_SCHEMA, type JsonOptions } from './fields';
import { firstMismatch } from './jsonSchema';

/**
 * The JSON in an answer.
 *
 * @throws GatewayFailure (kind `answer`) when there is none, or it does not match the schema; the failure keeps the answer
 */
export function parseJsonAnswer(answer: ChatAnswer, { schema }: JsonOptions): unknown {
	const mismatchOf = (value: unknown) => (schema === undefined ? undefined : firstMismatch(schema, value));
	const found = extractJson(answer.text, (value) => mismatchOf(value) === undefined);
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
