import type { z } from 'zod';
import { answerFailure } from '../errors/errorMessages';

/**
 * Checks an answer against its schema.
 *
 * @returns the typed value
 * @throws GatewayFailure (kind `answer`) that names the first field that is missing or of another type
 */
export function checkAnswer<Schema extends z.ZodTypeAny>(schema: Schema, body: unknown): z.output<Schema> {
	const result = schema.safeParse(body);
	if (result.success) return result.data as z.output<Schema>;
	const [issue] = result.error.issues;
	const field = issue.path.join('.') || 'the answer itself';
	throw answerFailure(`the field "${field}" is missing or not as expected (${issue.message.toLowerCase()})`);
}
