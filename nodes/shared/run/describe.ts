import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { compareTexts } from '../plain/values';
import type { Operation } from './operation';
import { toolFields } from './deliver';

const RESOURCE = { displayName: 'Resource', name: 'resource', type: 'hidden', default: '' } as const;
export const OPERATION = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	default: '',
	noDataExpression: true,
} as const;

/**
 * Returns the parameters of a node: the operation selector (the first operation is the default), then the fields of all
 * operations. The only resource is hidden: only with one does n8n describe an operation to agents and name a new node
 * after it, and its AI builder gets shared parameters once.
 */
export function describeOperations(
	resource: { name: string; value: string },
	operations: Operation[],
	order: 'by name' | 'as given' = 'by name',
): INodeProperties[] {
	const preset = operations[0].value;
	const listed = operations.toSorted((one, other) =>
		order === 'by name' ? compareTexts(one.name, other.name) : 0,
	);
	const tools = listed.filter(({ isTool }) => isTool !== false);
	const isMixed = tools.length > 0 && tools.length < operations.length;
	const toolPreset = (tools.find(({ value }) => value === preset) ?? tools[0])?.value;
	const groups = [...new Set(listed.flatMap(({ group }) => group ?? []))];
	const headings = groups.map((group) => ({ name: group, value: group }));
	return [
		{ ...RESOURCE, options: groups.length > 0 ? headings : [resource], default: resource.value },
		selector(resource.value, listed, preset, isMixed ? { '@tool': [false] } : {}),
		...(isMixed ? [selector(resource.value, tools, toolPreset, { '@tool': [true] })] : []),
		...groups.map((heading) => actionsUnder(heading, resource.value, listed)),
		...fieldsOf(operations),
		...(tools.length > 0 ? toolFields : []),
	];
}

function selector(
	resource: string,
	operations: Operation[],
	preset: string,
	condition: IDisplayOptions['show'],
): INodeProperties {
	return {
		...OPERATION,
		displayOptions: { show: { [RESOURCE.name]: [resource], ...condition } },
		options: operations.map(({ name, value, action, description }) => ({ name, value, action, description })),
		default: preset,
	};
}

/**
 * Creates the operations under a heading of n8n's list of actions, which makes a heading of each resource. The editor
 * and the AI builder never show them. An action sets the first resource of the condition, which is that of the node.
 */
function actionsUnder(heading: string, resource: string, operations: Operation[]): INodeProperties {
	const options = operations
		.filter(({ group }) => group === heading)
		.map(({ value, action }) => ({ name: value, value, action }));
	const displayOptions = {
		show: { [RESOURCE.name]: [resource, heading] },
		hide: { [RESOURCE.name]: [resource] },
	};
	return { ...OPERATION, type: 'hidden', displayOptions, options };
}

/** Returns the text below the node on the canvas: the models or voices (`telling`) that it uses, or its action. */
export function subtitleOf(operations: Operation[], telling: string[] = []): string {
	const actions = Object.fromEntries(operations.map(({ value, action }) => [value, action]));
	const action = `${JSON.stringify(actions)}[$parameter["operation"]]`;
	const values = telling.map((path) => `$parameter.${path}`);
	return values.length === 0
		? `={{ ${action} }}`
		: `={{ [${values.join(', ')}].filter(Boolean).join(", ") || ${action} }}`;
}

/** A field, and the values of the operations that have exactly this one. */
interface SharedField {
	field: INodeProperties;
	text: string;
	users: string[];
}

/** Merges the fields of all operations, in the order of each of them. Equal fields appear once. */
function fieldsOf(operations: Operation[]): INodeProperties[] {
	const all: SharedField[] = [];
	for (const { value, fields } of operations) {
		let position = 0;
		for (const field of fields) {
			const text = JSON.stringify(field);
			const same = all.findIndex((one, index) => index >= position && one.text === text);
			// The variant of an earlier operation comes first.
			const rival = all.findLastIndex((one, index) => index >= position && one.field.name === field.name);
			if (same === -1) {
				position = Math.max(position, rival + 1);
				all.splice(position, 0, { field, text, users: [value] });
			} else {
				position = same;
				all[same].users.push(value);
			}
			position += 1;
		}
	}
	const values = operations.map(({ value }) => value);
	return all.map(({ field, users }) => {
		if (users.length === values.length) return field;
		const { displayOptions } = field;
		const [first, ...variants] = all.filter((one) => one.field.name === field.name);
		// n8n describes only the first of several fields with one name to its AI builder. The description names the
		// operations that hide the field, except for those that show another one.
		const isLeading = field === first.field && variants.length > 0;
		const others = values.filter((value) => !users.includes(value));
		const condition = isLeading
			? { hide: { [OPERATION.name]: others, ...displayOptions?.hide } }
			: { show: { [OPERATION.name]: users, ...displayOptions?.show } };
		return { ...field, displayOptions: { ...displayOptions, ...condition } };
	});
}
