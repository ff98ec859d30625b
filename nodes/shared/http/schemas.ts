import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { answerFailure, DENIED } from '../errors/errorMessages';
import { type FailureFacts, GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { readErrorBody } from '../errors/errorBody';
import { saysNo } from '../errors/errorInside';
import { withGatewayWords } from '../errors/statusFailure';
import { asRecord, shortened } from '../values';
import { KEPT_ANSWER_LENGTH, LIST_ENTRIES } from './budgets';

/** The beginning of a response that cannot be used, for its failure: it may have been paid for. */
export function keptAnswer(body: unknown): FailureFacts {
	if (body === undefined || body === null) return {};
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
	const { kind, message, description, facts } = failure;
	const mayHaveWords = asRecord(body) !== undefined || typeof body === 'string';
	const { gatewayMessage } = mayHaveWords ? readErrorBody(body) : {};
	const known = { ...facts, ...keptAnswer(body) };
	if (!gatewayMessage || facts.gatewayMessage !== undefined) return failure.with(known);
	const words = { ...known, gatewayMessage };
	return new GatewayFailure(kind, withGatewayWords(message, words), description, words);
}

/**
 * Checks a response against its schema.
 *
 * @returns the typed value
 * @throws GatewayFailure (kind `answer`) that names the first missing or unexpected field and keeps the response
 */
export function checkAnswer<Schema extends z.ZodTypeAny>(schema: Schema, body: unknown): z.output<Schema> {
	const result = schema.safeParse(body);
	if (result.success) return result.data as z.output<Schema>;
	const [issue] = result.error.issues;
	const field = issue.path.join('.') || 'the response itself';
	const problem = `the field "${field}" is missing or unexpected (${issue.message.toLowerCase()})`;
	throw unusable(answerFailure(problem), body);
}

/**
 * A list of which each entry is checked, up to the first that does not fit: checking takes time, and each complaint even
 * more.
 */
export function listOf<Schema extends z.ZodTypeAny>(entry: Schema, most = LIST_ENTRIES) {
	return z.array(z.unknown()).transform((list, context): Array<z.output<Schema>> => {
		const complain = (message: string, path: Array<string | number> = []) => {
			context.addIssue({ code: z.ZodIssueCode.custom, message, path });
			return z.NEVER;
		};
		if (list.length > most) return complain(`more than ${most} entries`);
		const checked: Array<z.output<Schema>> = [];
		for (const [index, one] of list.entries()) {
			const result = entry.safeParse(one);
			if (!result.success) {
				const [{ message, path }] = result.error.issues;
				return complain(message, [index, ...path]);
			}
			checked.push(result.data as z.output<Schema>);
		}
		return checked;
	});
}
