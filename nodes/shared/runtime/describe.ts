import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from './operation';

/**
 * The parameters of a node without resources: the operation selector, then each operation's own fields,
 * shown for that operation only.
 */
export function describeOperations(operations: Operation[]): INodeProperties[] {
	return [selectorOf(operations, {}), ...operations.flatMap(fieldsOf)];
}

/**
 * The parameters of a node whose operations are grouped by resource.
 *
 * @param preset value of the resource that a new node starts with; the first one unless given
 */
export function describeResources(
	resources: Array<{ name: string; value: string }>,
	operations: Operation[],
	preset = resources[0].value,
): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
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

/** What stands below the node on the canvas: what the chosen operation does. Its value must not occur twice. */
export function subtitleOf(operations: Operation[]): string {
	const actions = Object.fromEntries(operations.map(({ value, action }) => [value, action]));
	return `={{ ${JSON.stringify(actions)}[$parameter["operation"]] }}`;
}

function selectorOf(operations: Operation[], show: Record<string, string[]>): INodeProperties {
	const [{ value: first }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
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
