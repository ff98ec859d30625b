import Ajv, { type ValidateFunction } from 'ajv';
import type { INode, INodeParameters } from 'n8n-workflow';
import { nodeTypes, PACKAGE, withDefaults } from '../engine/nodeTypes';
import { schemaFiles, schemaIn } from './files';
import { isUsual } from './isUsual';
import type { Schema } from './schemaOf';

/** Operations that add fields to those of the input item. */
const KEEP_INPUT = ['embed embedText', 'rerank rerankInputItems'];
/** Fields that an item has only in unusual cases. */
const UNUSUAL = [
	'error',
	'empty',
	'timedOut',
	'cancelled',
	'failedItems',
	'toolRuns',
	'otherContent',
	'refusal',
	'problem',
	'progress',
];

/** The output of the nodes of an execution, by their names. */
type RunData = Record<
	string,
	Array<{ data?: { main?: ReadonlyArray<ReadonlyArray<{ json?: object }> | null> } }> | undefined
>;

/** The fields of an item of Utilities if the gateway answers with text or a file instead. */
const OTHER_KINDS = ['text', 'text,date', 'fileName,mimeType,bytes', 'fileName,mimeType,bytes,date'];

/**
 * Checks that the items of all nodes of a run have exactly the fields of the schemas, where the parameters of a node do
 * not change the fields of a new one.
 *
 * @throws Error with the item that does not match its schema
 */
export function requireDescribed(
	nodes: Array<Pick<INode, 'name' | 'type' | 'parameters'>>,
	ran: RunData,
): void {
	for (const node of nodes.filter(({ type }) => type.startsWith(`${PACKAGE}.`) && !type.endsWith('Tool'))) {
		const tasks = ran[node.name] ?? [];
		const items = tasks.flatMap(({ data }) => (data?.main ?? []).flatMap((output) => output ?? []));
		const { options, ...fields } = node.parameters;
		const { includeInputFields = false, ...otherOptions } = { ...(options as INodeParameters | undefined) };
		const parameters = { ...fields, options: otherOptions };
		if (items.length === 0 || !isUsual({ ...node, parameters })) continue;
		const validate = validatorOf(node, includeInputFields === true);
		for (const { json = {} } of items) {
			if (!validate || UNUSUAL.some((name) => JSON.stringify(json).includes(`"${name}":`))) continue;
			if (OTHER_KINDS.includes(Object.keys(json).join())) continue;
			if (!validate(asSaved(json))) {
				throw new Error(`${node.type}: ${JSON.stringify(validate.errors?.[0])} in ${JSON.stringify(json)}`);
			}
		}
	}
}

const asSaved = (json: object) => JSON.parse(JSON.stringify(json)) as object;

const validators = new Map<string, ValidateFunction>();

/** Returns a validator for the output of a node; undefined for a node without a schema, such as a sub-node. */
function validatorOf(
	{ type, parameters }: Pick<INode, 'type' | 'parameters'>,
	keepsInput: boolean,
): ValidateFunction | undefined {
	const name = type.slice(PACKAGE.length + 1);
	// A saved workflow may omit the operation if it is the default.
	const { operation } = withDefaults(nodeTypes[type].description, parameters);
	const file = schemaFiles.find((one) => one.node === name && one.operation === operation);
	const schema = file && schemaIn(file);
	if (!file || !schema) return undefined;
	const addsFields = keepsInput || KEEP_INPUT.includes(`${name} ${file.operation}`);
	const key = `${file.file} ${addsFields}`;
	const found = validators.get(key) ?? new Ajv().compile(addsFields ? schema : strict(schema));
	validators.set(key, found);
	return found;
}

/** Returns the same schema, but without permission for fields that it does not name. */
function strict(schema: Schema): object {
	const { properties, items } = schema;
	return {
		...(properties ? { additionalProperties: false } : {}),
		...schema,
		...(properties
			? {
					properties: Object.fromEntries(
						// Unknown fields of the gateway are kept under this name as they are.
						Object.entries(properties).map(([name, inside]) => [
							name,
							name === 'otherFields' ? inside : strict(inside),
						]),
					),
				}
			: {}),
		...(items ? { items: strict(items) } : {}),
	};
}
