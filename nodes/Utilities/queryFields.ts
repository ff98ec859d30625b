import type { INodeProperties } from 'n8n-workflow';

export const QUERY_NAME: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. limit',
	description: 'Name of the parameter. Several parameters may have the same name.',
};

export const QUERY_VALUE: INodeProperties = {
	displayName: 'Value',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. 10',
	description: 'Value of the parameter',
};

/** A parameter for the name-value pairs of a query. */
export function queryField(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: {},
		description,
		options: [{ displayName: 'Parameter', name: 'parameter', values: [QUERY_NAME, QUERY_VALUE] }],
	};
}
