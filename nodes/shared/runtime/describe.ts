import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from './operation';

/** The selectors that every node has, or every node with resources. */
export const RESOURCE = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	default: '',
	noDataExpression: true,
} as const;
export const OPERATION = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	default: '',
	noDataExpression: true,
} as const;

/**
 * The parameters of a node without resources: the operation selector, then each operation's own fields, shown only
 * for that operation.
 */
export function describeOperations(operations: Operation[]): INodeProperties[] {
	return [selectorOf(operations, {}), ...operations.flatMap(fieldsOf)];
}

/**
 * The parameters of a node whose operations are grouped by resource.
 *
 * @param preset value of the resource that a new node starts with; the first one by default
 */
export function describeResources(
	resources: Array<{ name: string; value: string }>,
	operations: Operation[],
	preset = resources[0].value,
): INodeProperties[] {
	return [
		{
			...RESOURCE,
			options: resources,
			default: preset,
		},
		...resources.map(({ value }) =>
			selectorOf(
				operations.filter(({ resource }) => resource === value),
				{ resource: [value] },
			),
		),
		...operations.flatMap(fieldsOf),
	];
}

/** The text below the node on the canvas: the action of the chosen operation. Values of operations must be unique. */
export function subtitleOf(operations: Operation[]): string {
	const actions = Object.fromEntries(operations.map(({ value, action }) => [value, action]));
	return `={{ ${JSON.stringify(actions)}[$parameter["operation"]] }}`;
}

function selectorOf(operations: Operation[], show: Record<string, string[]>): INodeProperties {
	const [{ value: first }] = operations;
	return {
		...OPERATION,
		...(Object.keys(show).length > 0 ? { displayOptions: { show } } : {}),
		options: operations.map(({ name, value, action, description }) => ({ name, value, action, description })),
		default: first,
	};
}

function fieldsOf({ resource, value, fields }: Operation): INodeProperties[] {
	return fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: {
				...(resource ? { resource: [resource] } : {}),
				operation: [value],
				...field.displayOptions?.show,
			},
		},
	}));
}
