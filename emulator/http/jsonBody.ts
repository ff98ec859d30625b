import type { FastifyRequest } from 'fastify';
import type { z, ZodIssue, ZodObject, ZodRawShape } from 'zod';
import { invalidRequest } from './errors';
import { exchangeOf } from './exchange';

function fieldName(path: ReadonlyArray<string | number>): string {
	return path
		.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
		.join('');
}

/** The issues that count: of a union, those of the member that came furthest. */
function decisive(issue: ZodIssue): ZodIssue {
	if (issue.code !== 'invalid_union') return issue;
	const candidates = issue.unionErrors.map((error) => decisive(error.issues[0]));
	return candidates.reduce((best, next) => (next.path.length > best.path.length ? next : best));
}

function describe(issue: ZodIssue): string {
	const field = fieldName(issue.path);
	if (issue.code === 'invalid_type' && issue.received === 'undefined') {
		return `Missing required field "${field}" (${issue.expected}).`;
	}
	if (issue.code === 'unrecognized_keys') {
		const names = issue.keys.map((key) => `"${fieldName([...issue.path, key])}"`);
		return `Unknown field ${names.join(', ')}.`;
	}
	return `Invalid value for "${field}": ${issue.message}.`;
}

/**
 * The JSON body of a request, checked.
 * @throws RequestFailure 415 for another content type, 400 for text that is no JSON or fields that are missing, wrong
 * or unknown, with a message that names the field (section 7)
 */
export function jsonBody<Shape extends ZodRawShape>(
	request: FastifyRequest,
	schema: ZodObject<Shape>,
): z.output<ZodObject<Shape>> {
	const { received, treatment } = exchangeOf(request);
	if (!received.isJson) throw invalidRequest('Send the body as Content-Type: application/json.', 415);
	if (received.fault !== undefined) throw invalidRequest(`The body is not valid JSON: ${received.fault}.`);
	if (typeof received.value !== 'object' || received.value === null || Array.isArray(received.value)) {
		throw invalidRequest('The body must be a JSON object.');
	}
	const tolerant = treatment.acceptUnknownFields ? schema.strip() : schema.strict();
	const result = tolerant.safeParse(received.value);
	if (!result.success) throw invalidRequest(describe(decisive(result.error.issues[0])));
	return result.data;
}
