import { z } from 'zod';
import { toJSONSchema } from 'zod/v4';
import { GatewayFailure, hostFailure, toFailure } from '../../shared/failure/failure';
import { inputFailure } from '../../shared/failure/words';
import { asRecord, textOr, withoutFields } from '../../shared/plain/values';

export interface Tool {
	name: string;
	description: string;
	parameters: Record<string, unknown>;
}

interface SuppliedTool {
	name: string;
	description?: unknown;
	schema: unknown;
}

/** Describes tools as functions for a model. @param convert converts schemas that need it, with n8n's SDK */
export function functionsOf<T extends SuppliedTool>(
	tools: T[],
	convert: (schema: unknown, tool: T) => unknown,
): Tool[] {
	checkToolNames(tools.map(({ name }) => name));
	return tools.map((tool) => ({
		name: tool.name,
		description: textOr(tool.description),
		parameters: objectSchema(argumentsOf(tool, (schema) => convert(schema, tool))),
	}));
}

function checkToolNames(names: string[]): void {
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice === undefined) return;
	throw inputFailure(
		'Tools',
		`contain two with the name "${twice}", so the model could call only one of them`,
		'Rename one of the tool nodes. n8n turns each character other than letters, digits, hyphens, and underscores into an underscore.',
	);
}

/** Returns the schema of an object: functions without arguments have an empty or an unusable schema. */
function objectSchema(schema: unknown): Record<string, unknown> {
	const fields = asRecord(schema);
	if (fields?.type !== 'object') return { type: 'object', properties: {} };
	// Some formats reject unknown fields.
	return withoutFields(fields, ['$schema']);
}

/** Returns the JSON Schema of a tool's arguments. Other nodes supply the schema, so converting it may fail. */
function argumentsOf({ name, schema }: SuppliedTool, convert: (ownSchema: unknown) => unknown): unknown {
	try {
		return jsonSchemaOf(schema, convert);
	} catch (error) {
		// This n8n has no SDK, which is not the fault of the tool.
		if (error instanceof GatewayFailure) throw toFailure(error);
		const { message } = hostFailure(error);
		const advice = 'Check the arguments in the node of this tool, or remove it.';
		throw inputFailure(`The tool "${name}"`, `has arguments that no model can be told (${message})`, advice);
	}
}

/** Converts a schema of any version and copy of zod to JSON Schema; n8n's SDK accepts only its own copy. */
function jsonSchemaOf(schema: unknown, convert: (ownSchema: unknown) => unknown): unknown {
	// Schemas of zod 3 have only `_def`.
	const { type, _def, _zod } = asRecord(schema) ?? {};
	// The schema describes the input of a tool, which may leave out a field with a default.
	if (_zod !== undefined) {
		return toJSONSchema(schema as Parameters<typeof toJSONSchema>[0], {
			io: 'input',
			unrepresentable: 'any',
		});
	}
	if (_def !== undefined) return convert(z.lazy(() => schema as z.ZodTypeAny));
	return typeof type === 'string' ? schema : convert(schema);
}
