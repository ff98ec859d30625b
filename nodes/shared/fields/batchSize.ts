import type { INodeProperties } from 'n8n-workflow';

/** How many texts share a request. */
export function batchSizeField(defaultValue: number, description: string): INodeProperties {
	return {
		displayName: 'Batch Size',
		name: 'batchSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: defaultValue,
		description,
	};
}
