import type { INodeProperties } from 'n8n-workflow';

type More = Partial<INodeProperties>;

/** A parameter for a text, which is empty in a new node. */
export function textField(
	displayName: string,
	name: string,
	description: string,
	more: More = {},
): INodeProperties {
	return { displayName, name, type: 'string', default: '', ...more, description };
}

/** A parameter that is on or off. An entry of a list of options is on once it is added. */
export function flagField(
	displayName: string,
	name: string,
	description: string,
	more: More = {},
): INodeProperties {
	return { displayName, name, type: 'boolean', default: true, ...more, description };
}

/** A parameter for a number. */
export function numberField(
	displayName: string,
	name: string,
	preset: number,
	description: string,
	more: More = {},
): INodeProperties {
	return { displayName, name, type: 'number', default: preset, ...more, description };
}
