import type { IDataObject } from 'n8n-workflow';
import { answerFailure } from '../shared/errors/errorMessages';
import type { Outcome } from '../shared/runtime/askInBatches';
import type { Call } from '../shared/runtime/call';
import type { LinkedResult } from '../shared/runtime/operation';
import type { Embedding } from './embedTexts';
import { DIMENSIONS } from './fields';

/** What the node returns: the complete item with the vector in a field, or only the vector. */
export type EmbedOutput = { kind: 'item'; field: string } | { kind: 'vector'; simplify: boolean };

/**
 * The result of one item. A vector of the wrong length is a failure that keeps the vector: in a vector store, it would
 * distort searches or be rejected far from the cause.
 */
export function toLinkedResult(
	{ item, itemIndex }: Call,
	outcome: Outcome<Embedding>,
	dimensions: number | undefined,
	output: EmbedOutput,
): LinkedResult {
	if ('failure' in outcome) return { from: itemIndex, failure: outcome.failure };
	const { value } = outcome;
	const { vector } = value;
	if (dimensions !== undefined && vector.length !== dimensions) {
		const failure = answerFailure(
			`the vector has ${vector.length} numbers, but ${DIMENSIONS.displayName} is ${dimensions}`,
		).with({ partial: { embedding: [...vector] } });
		return { from: itemIndex, failure };
	}
	if (output.kind === 'vector') {
		return { from: itemIndex, result: { json: output.simplify ? simplified(value) : raw(value) } };
	}
	const json = { ...item.json, [output.field]: [...vector], ...tokensOf(value, output.field) };
	return { from: itemIndex, result: { json, files: item.binary } };
}

function simplified(embedding: Embedding): IDataObject {
	const { vector, request } = embedding;
	return {
		embedding: [...vector],
		dimensions: vector.length,
		model: request.model,
		...tokensOf(embedding),
	};
}

/** The item's entry as the gateway sent it, with what the response says about the whole request. */
function raw({ entry, request }: Embedding): IDataObject {
	return { ...entry, model: request.model, usage: request.usage } as IDataObject;
}

/**
 * The tokens of the request, as far as the gateway reports them, and the number of texts that shared it: gateways do
 * not report the tokens of a single text.
 *
 * @param prefix what the names of the fields start with
 */
function tokensOf({ request: { usage, texts } }: Embedding, prefix = ''): IDataObject {
	if (!usage) return {};
	const fields = {
		inputTokens: usage.prompt_tokens,
		totalTokens: usage.total_tokens,
		textsInRequest: texts,
	};
	const known = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known.map(([name, value]) => [withPrefix(prefix, name), value]));
}

function withPrefix(prefix: string, name: string): string {
	return prefix === '' ? name : `${prefix}${name[0].toUpperCase()}${name.slice(1)}`;
}
