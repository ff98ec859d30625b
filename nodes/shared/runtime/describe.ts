import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from './operation';

/** The selectors that every node has. */
const RESOURCE = { displayName: 'Resource', name: 'resource', type: 'hidden' } as const;
export const OPERATION = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	default: '',
	noDataExpression: true,
} as const;

/**
 * The parameters of a node: the operation selector, then each operation's own fields, shown only for that operation.
 *
 * Each node has a single resource, which is hidden: n8n describes an operation to agents, and names a new node after it,
 * only if there is one. With several, n8n would write the parameters that operations share again for each operation when
 * it describes the node to its AI builder.
 *
 * @param resource what the node is about
 * @param preset the operation that a new node starts with; the first one by default
 */
export function describeOperations(
	resource: { name: string; value: string },
	operations: Operation[],
	preset = operations[0].value,
): INodeProperties[] {
	return [
		{ ...RESOURCE, options: [resource], default: resource.value },
		{
			...OPERATION,
			displayOptions: { show: { [RESOURCE.name]: [resource.value] } },
			options: operations.map(({ name, value, action, description }) => ({
				name,
				value,
				action,
				description,
			})),
			default: preset,
		},
		...operations.flatMap(fieldsOf),
	];
}

/** The text below the node on the canvas: the action of the chosen operation. Values of operations must be unique. */
export function subtitleOf(operations: Operation[]): string {
	const actions = Object.fromEntries(operations.map(({ value, action }) => [value, action]));
	return `={{ ${JSON.stringify(actions)}[$parameter["operation"]] }}`;
}

function fieldsOf({ value, fields }: Operation): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { operation: [value], ...field.displayOptions?.show },
		},
	}));
}
