import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

/** Defines a node type for a test. */
export function testNode(
	description: Pick<INodeTypeDescription, 'inputs' | 'outputs'>,
	methods: Pick<INodeType, 'execute' | 'supplyData'>,
): INodeType {
	const name = 'Test';
	const texts = { displayName: name, name: 'test', description: name, defaults: { name } };
	return {
		description: { ...texts, group: ['transform'], version: 1, properties: [], ...description },
		...methods,
	};
}
