import type { IDataObject } from 'n8n-workflow';
import type { Outcome } from '../shared/runtime/askInBatches';
import type { Embedding } from './embedTexts';
import { answerFailure } from '../shared/errors/errorMessages';
import type { Call } from '../shared/runtime/call';
import type { LinkedResult, OperationResult } from '../shared/runtime/operation';

/** What leaves the node: the whole item with the vector in a field, or the vector alone. */
export type EmbedOutput = { kind: 'item'; field: string } | { kind: 'vector'; simplify: boolean };

/**
 * The result of one item. A vector of another length than asked for is a failure that keeps the vector: in
 * a vector store it would spoil the search, or be refused far from its cause.
 */
export function toLinkedResult(
	{ item, itemIndex }: Call,
	outcome: Outcome<Embedding>,
	dimensions: number | undefined,
	output: EmbedOutput,
): LinkedResult {
	if ('failure' in outcome) return { from: itemIndex, failure: outcome.failure };
	const { vector } = outcome.value;
	if (dimensions !== undefined && vector.length !== dimensions) {
		const failure = answerFailure(
			`the vector has ${vector.length} numbers, and Dimensions asks for ${dimensions}`,
		).with({ partial: { embedding: [...vector] } });
		return { from: itemIndex, failure };
	}
	if (output.kind === 'vector') {
		const { value } = outcome;
		return { from: itemIndex, result: { json: output.simplify ? simplified(value) : raw(value) } };
	}
	const json = { ...item.json, [output.field]: [...vector] };
	const usage = tokenUsage(outcome.value);
	const result: OperationResult = {
		json: usage ? { ...json, [`${output.field}Usage`]: usage } : json,
		files: item.binary,
	};
	return { from: itemIndex, result };
}

function simplified(embedding: Embedding): IDataObject {
	const { vector, request } = embedding;
	return {
		embedding: [...vector],
		dimensions: vector.length,
		model: request.model,
		usage: tokenUsage(embedding),
	};
}

/** The item's entry as the gateway sent it, with what it says about the whole request. */
function raw({ entry, request }: Embedding): IDataObject {
	return { ...entry, model: request.model, usage: request.usage } as IDataObject;
}

/** Tokens of the request that the text shared with others: gateways do not tell the tokens of one text. */
function tokenUsage({ request: { usage, texts } }: Embedding): IDataObject | undefined {
	if (!usage) return undefined;
	return { inputTokens: usage.prompt_tokens, totalTokens: usage.total_tokens, textsInRequest: texts };
}
