import { z } from 'zod';
import { invalidRequest } from '../http/errors';

type Schema = Record<string, unknown>;

const isObject = (value: unknown): value is Schema =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const strictKeywords =
	'$defs $ref additionalProperties anyOf const definitions description enum exclusiveMaximum exclusiveMinimum format items maxItems maximum minItems minimum multipleOf pattern properties required title type';
const known = new Set(strictKeywords.split(' '));

/** Returns the reason why services that follow a schema strictly would refuse it; undefined if they would accept it. */
function strictProblem(schema: unknown, path: string): string | undefined {
	if (!isObject(schema)) return `${path} is not a schema`;
	const unknown = Object.keys(schema).find((keyword) => !known.has(keyword));
	if (unknown !== undefined) return `${path}: '${unknown}' is not permitted`;
	const { properties, additionalProperties, required = [], items, anyOf, $defs, definitions } = schema;
	if ([schema.type].flat().includes('object')) {
		if (additionalProperties !== false) return `${path}: 'additionalProperties' must be false`;
		const optional = Object.keys(properties ?? {}).find((name) => !(required as unknown[]).includes(name));
		if (optional !== undefined)
			return `${path}: 'required' must include every property; '${optional}' is missing`;
	}
	const inner: Array<[string, unknown]> = [
		...Object.entries({ ...(properties as Schema), ...($defs as Schema), ...(definitions as Schema) }),
		...(items === undefined ? [] : [['items', items] as [string, unknown]]),
		...((anyOf as unknown[]) ?? []).map((part, index): [string, unknown] => [`anyOf.${index}`, part]),
	];
	for (const [name, part] of inner) {
		const problem = strictProblem(part, `${path}.${name}`);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

/**
 * Checks a schema like services that promise to follow it, which refuse a schema that leaves something open.
 * @throws RequestFailure 400
 */
export function checkStrictSchema(schema: Schema): void {
	const problem =
		schema.type === 'object' ? strictProblem(schema, 'schema') : "schema must have 'type': 'object'";
	if (problem !== undefined)
		throw invalidRequest(`Invalid schema for response_format 'json_schema': ${problem}.`);
}

/** A schema of the generate-content format: a subset of OpenAPI, whose unknown fields are refused. */
export const openApiSchema: z.ZodType<Schema> = z.lazy(() =>
	z
		.object({
			type: z.enum(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']),
			format: z.string(),
			title: z.string(),
			description: z.string(),
			nullable: z.boolean(),
			enum: z.array(z.string()),
			items: openApiSchema,
			minItems: z.number().int(),
			maxItems: z.number().int(),
			properties: z.record(openApiSchema).refine((value) => Object.keys(value).length > 0, {
				message: 'it should be non-empty for OBJECT type',
			}),
			required: z.array(z.string()),
			propertyOrdering: z.array(z.string()),
			minProperties: z.number().int(),
			maxProperties: z.number().int(),
			minLength: z.number().int(),
			maxLength: z.number().int(),
			pattern: z.string(),
			minimum: z.number(),
			maximum: z.number(),
			anyOf: z.array(openApiSchema),
			default: z.unknown(),
			example: z.unknown(),
		})
		.partial()
		.strict(),
);
