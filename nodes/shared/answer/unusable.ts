import type { IDataObject } from 'n8n-workflow';
import { answerFailure, DENIED } from '../errors/errorMessages';
import { type FailureFacts, type GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { readErrorBody } from '../errors/errorBody';
import { saysNo } from '../errors/errorInside';
import { withGatewayWords } from '../errors/statusFailure';
import { asRecord, shortened } from '../plain/values';
import { KEPT_ANSWER_LENGTH } from '../plain/budgets';

/** The beginning of a response that cannot be used, for its failure: it may be paid for, and contain an ID or a result. */
export function keptAnswer(body: unknown): FailureFacts {
	if (body === undefined || body === null || body === '') return {};
	return { partial: { answer: shortened(body, KEPT_ANSWER_LENGTH) as IDataObject } };
}

/**
 * What `read` makes of a response.
 *
 * @throws what `read` throws, and a failure for a response that says that it is no success; with the response, which may
 *   have been paid for
 */
export async function readWith<Body, T>(body: Body, read: (body: Body) => T | Promise<T>): Promise<T> {
	try {
		if (saysNo(body)) throw answerFailure(DENIED);
		return await read(body);
	} catch (error) {
		throw unusable(toFailure(error), body);
	}
}

/** The failure of a response that cannot be used, with the response, and with the words that it may have for a person. */
export function unusable(failure: GatewayFailure, body: unknown): GatewayFailure {
	const mayHaveWords = asRecord(body) !== undefined || typeof body === 'string';
	const { gatewayMessage } = mayHaveWords ? readErrorBody(body) : {};
	const kept = keptAnswer(body);
	if (!gatewayMessage || failure.facts.gatewayMessage !== undefined) return failure.with(kept);
	const words = { ...kept, gatewayMessage };
	return failure.saying({ message: withGatewayWords(failure.message, words) }, words);
}
