import type { FastifyRequest } from 'fastify';
import type { AnyZodObject, z, ZodIssue } from 'zod';
import { invalidRequest } from './errors';
import { exchangeOf } from './exchange';
import { decisive, pruned, valueAt } from './pruned';

function fieldName(path: ReadonlyArray<string | number>): string {
	return path
		.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`))
		.join('');
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
 * Validates the JSON body of a request. Whatever the interface documents must be as documented. Anything else is
 * ignored if it does not fit, unless a rule asks for the checks of comparable services (`checkUndocumented`).
 * @param known all fields that the route understands
 * @param documented the fields of the interface and no limits beyond it, if the route understands more
 * @throws RequestFailure 415 for another content type; 400 for invalid JSON, and for missing or invalid fields, with a
 * message that names the field (section 7)
 */
export function jsonBody<Known extends AnyZodObject>(
	request: FastifyRequest,
	known: Known,
	documented: AnyZodObject = known.strip(),
): z.output<Known> {
	const { received, treatment } = exchangeOf(request);
	if (!received.isJson) throw invalidRequest('Send the body as Content-Type: application/json.', 415);
	if (received.fault !== undefined) throw invalidRequest(`The body is not valid JSON: ${received.fault}.`);
	const { value } = received;
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw invalidRequest('The body must be a JSON object.');
	}
	const refusalOf = (issues: ZodIssue[]) => invalidRequest(describe(decisive(issues[0]), value));
	const first = documented.safeParse(value);
	if (!first.success) throw refusalOf(first.error.issues);
	const complete = known.strict().safeParse(value) as z.SafeParseReturnType<unknown, z.output<Known>>;
	if (complete.success) return complete.data;
	const rest = treatment.checkUndocumented ? undefined : pruned(known.strict(), value);
	if (rest === undefined) throw refusalOf(complete.error.issues);
	return rest;
}
