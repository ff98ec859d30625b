import { type INode, type INodeParameters, jsonStringify } from 'n8n-workflow';
import { nodeTypes, withDefaults } from '../engine/nodeTypes';

/** The parameters that decide which fields the output has. */
const SHAPING = [
	...['simplify', 'output', 'encoding', 'splitOutLists', 'waitForCompletion', 'vectorField', 'longText'],
	...['includeInputFields', 'includeUsage', 'listToSplitOut', 'fallbackModels'],
];

/** Tells whether a node outputs the same fields as a new node. */
export function isUsual({ type, parameters }: Pick<INode, 'type' | 'parameters'>): boolean {
	const { description } = nodeTypes[type];
	const { operation } = parameters;
	const preset = withDefaults(description, operation === undefined ? {} : { operation });
	const { options, ...fields } = parameters;
	const set = { ...fields, ...(options as INodeParameters | undefined) };
	return SHAPING.every((name) => !(name in set) || jsonStringify(set[name]) === jsonStringify(preset[name]));
}
