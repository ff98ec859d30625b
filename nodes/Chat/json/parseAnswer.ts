import { inputFailure } from '../../shared/errors/errorMessages';
import type { ChatAnswer } from '../formats/answer';
import { GatewayFailure } from '../../shared/errors/gatewayFailure';
import { extractJson } from './extractJson';
import { firstMisfit, schemaDefect, uncheckedKeywords, type Schema } from './jsonSchema';

/** How an answer is to be parsed. */
export interface JsonWish {
	/** Undefined: any JSON will do. */
	schema?: Schema;
	/** Keywords of the schema that are not checked. */
	unchecked: string[];
}

/**
 * Reads the JSON Schema parameter.
 *
 * @param value parsed JSON; undefined or an empty object for no schema
 * @throws GatewayFailure (kind `input`) when it cannot be used
 */
export function jsonWish(value: unknown): JsonWish {
	const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
	if (value === undefined || isEmpty) return { unchecked: [] };
	const defect = schemaDefect(value);
	if (defect) {
		throw inputFailure(
			'JSON Schema',
			`cannot be used: ${defect}`,
			'Correct the schema, or empty the field to accept any JSON.',
		);
	}
	return { schema: value as Schema, unchecked: uncheckedKeywords(value) };
}

/** What the model is told about the form of its answer; empty for nothing. */
export function instructionFor({ schema }: JsonWish): string {
	if (schema === undefined) return '';
	return `Answer with JSON only, without any other text. The JSON must fit this JSON Schema:\n${JSON.stringify(schema)}`;
}

/**
 * The JSON in an answer.
 *
 * @throws GatewayFailure (kind `answer`) when there is none, or it does not fit the schema; the answer is kept
 */
export function parseAnswer(answer: ChatAnswer, { schema }: JsonWish): unknown {
	const misfitOf = (value: unknown) => (schema === undefined ? undefined : firstMisfit(schema, value));
	const found = extractJson(answer.text, (value) => misfitOf(value) === undefined);
	const misfit = found && misfitOf(found.value);
	if (found && misfit === undefined) return found.value;
	throw unfitFailure(answer, misfit);
}

function unfitFailure(answer: ChatAnswer, misfit: string | undefined): GatewayFailure {
	const { finishReason } = answer;
	const what = misfit === undefined ? 'holds no JSON' : `does not fit JSON Schema: ${misfit}`;
	return new GatewayFailure('answer', `The model's answer ${what}`, adviceFor(finishReason), {
		partial: { ...answer },
	});
}

function adviceFor(finishReason: string): string {
	const kept = 'The answer is kept in the details.';
	if (finishReason === 'length') {
		return `${kept} It was cut off: raise Max Tokens (Max Output Tokens), or ask for less.`;
	}
	if (finishReason === 'refusal' || finishReason === 'content_filter') {
		return `${kept} The model did not answer (${finishReason}): put the question in other words.`;
	}
	return `${kept} Say in the prompt that you want JSON only and which fields, show an example, or set JSON Schema with Tell the Model switched on.`;
}
