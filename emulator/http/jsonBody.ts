import type { FastifyRequest } from 'fastify';
import type { z, ZodIssue, ZodObject, ZodRawShape } from 'zod';
import { invalidRequest } from './errors';
import { exchangeOf } from './exchange';

function fieldName(path: ReadonlyArray<string | number>): string {
	return path
		.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
		.join('');
}

/** The issue to report: for a union, that of the member that matched furthest. */
function decisive(issue: ZodIssue): ZodIssue {
	if (issue.code !== 'invalid_union') return issue;
	const candidates = issue.unionErrors.map((error) => decisive(error.issues[0]));
	return candidates.reduce((best, next) => (next.path.length > best.path.length ? next : best));
}

function valueAt(body: unknown, path: ReadonlyArray<string | number>): unknown {
	return path.reduce<unknown>(
		(value, key) =>
			typeof value === 'object' && value !== null
				? (value as Record<string | number, unknown>)[key]
				: undefined,
		body,
	);
}

function expectation(issue: ZodIssue): string {
	switch (issue.code) {
		case 'invalid_type':
			return `expected ${issue.expected}, received ${issue.received}`;
		case 'invalid_union_discriminator':
			return `expected one of ${issue.options.map((option) => JSON.stringify(option)).join(', ')}`;
		default:
			return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
	}
}

function describe(issue: ZodIssue, body: unknown): string {
	if (issue.code === 'unrecognized_keys') {
		const names = issue.keys.map((key) => `"${fieldName([...issue.path, key])}"`);
		return `Unknown field ${names.join(', ')}.`;
	}
	const field = fieldName(issue.path);
	if (valueAt(body, issue.path) === undefined) return `Missing required field "${field}".`;
	return `Invalid value for "${field}": ${expectation(issue)}.`;
}

/**
 * Validates the JSON body of a request.
 * @throws RequestFailure 415 for another content type, 400 for invalid JSON or for fields that are missing, invalid or
 * unknown, with a message that names the field (section 7)
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
	if (!result.success) throw invalidRequest(describe(decisive(result.error.issues[0]), received.value));
	return result.data;
}
