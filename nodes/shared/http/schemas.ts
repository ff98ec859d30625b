import { z } from 'zod';
import { answerFailure } from '../errors/errorMessages';

/**
 * Checks a response against its schema.
 *
 * @returns the typed value
 * @throws GatewayFailure (kind `answer`) that names the first missing or unexpected field
 */
export function checkAnswer<Schema extends z.ZodTypeAny>(schema: Schema, body: unknown): z.output<Schema> {
	const result = schema.safeParse(body);
	if (result.success) return result.data as z.output<Schema>;
	const [issue] = result.error.issues;
	const field = issue.path.join('.') || 'the response itself';
	throw answerFailure(`the field "${field}" is missing or unexpected (${issue.message.toLowerCase()})`);
}

/** Text that gateways may also send as null or omit. */
export const looseText = z
	.string()
	.nullish()
	.transform((value) => value ?? '');

/** A token count that gateways may also send as null or omit. */
export const looseCount = z
	.number()
	.nullish()
	.transform((value) => value ?? undefined);

/** Like {@link looseText} without the transformation, which costs time when an answer is read for each of many items. */
export const maybeText = z.string().nullish();

/** Like {@link looseCount} without the transformation. */
export const maybeCount = z.number().nullish();
