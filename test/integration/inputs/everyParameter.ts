import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import type { INodePropertyCollection, INodeTypeDescription, NodeParameterValueType } from 'n8n-workflow';
import { operationsOf } from '../engine/nodeTypes';
import { valueOf } from './values';

/**
 * Returns workflow nodes that, together, set every parameter of a node type to a value other than its default. For each
 * operation, there are as many nodes as needed to show all of its parameters. Pure.
 *
 * @param known returns parameters with which an operation is known to work
 */
export function everyParameterSet(
	description: INodeTypeDescription,
	known: (operation: string) => INodeParameters,
): INodeParameters[] {
	const operations = operationsOf({ description });
	return (operations.length > 0 ? operations : ['']).flatMap((operation) => {
		const start: INodeParameters = { ...(operation ? { operation } : {}), ...known(operation) };
		const nodes = [filled(description, start)];
		const pathsIn = (node: INodeParameters) => placesIn(description.properties, node).map(({ path }) => path);
		const covered = new Set(nodes.flatMap(pathsIn));
		for (const property of [...description.properties, ...optionsIn(description)]) {
			for (const choice of choicesThatShow(property, operation)) {
				const node = filled(description, { ...start, ...choice });
				const fresh = pathsIn(node).filter((name) => !covered.has(name));
				if (fresh.length === 0) continue;
				nodes.push(node);
				fresh.forEach((name) => covered.add(name));
			}
		}
		return nodes;
	});
}

/** A parameter that a node sets. */
export interface Place {
	path: string;
	property: INodeProperties;
}

/** Returns the parameters that a node sets, including those in collections and lists. */
export function placesIn(properties: INodeProperties[], values: INodeParameters, prefix = ''): Place[] {
	return properties.flatMap((property): Place[] => {
		const value = values[property.name];
		if (value === undefined) return [];
		const path = prefix + property.name;
		if (property.type === 'collection') {
			const inner = placesIn(property.options as INodeProperties[], value as INodeParameters, `${path}.`);
			return [{ path, property }, ...inner];
		}
		if (property.type !== 'fixedCollection') return [{ path, property }];
		return (property.options as INodePropertyCollection[]).flatMap((group) => {
			const entries = [(value as INodeParameters)[group.name] ?? []].flat() as INodeParameters[];
			return entries.flatMap((entry) => placesIn(group.values, entry, `${path}.${group.name}.`));
		});
	});
}

/** The values of other parameters that make a parameter appear: none for one that needs nothing but the operation. */
function choicesThatShow({ displayOptions }: INodeProperties, operation: string): INodeParameters[] {
	const { operation: shownFor, ...others } = displayOptions?.show ?? {};
	if (shownFor && !shownFor.includes(operation)) return [];
	const given = ['resource', '/operation', '@tool'];
	const names = Object.keys(others).filter((name) => !given.includes(name));
	if (names.length === 0) return [];
	const longest = Math.max(...names.map((name) => (others[name] as unknown[]).length));
	return Array.from({ length: longest }, (_, index) =>
		Object.fromEntries(
			names.map((name) => {
				const values = others[name] as INodeParameters[string][];
				return [name.replace(/^\//, ''), values[Math.min(index, values.length - 1)]];
			}),
		),
	);
}

/** Returns the options whose appearance depends on parameters of the node. */
function optionsIn({ properties }: INodeTypeDescription): INodeProperties[] {
	const options = properties.flatMap((property) =>
		property.type === 'collection' ? (property.options as INodeProperties[]) : [],
	);
	return options.filter(({ displayOptions }) =>
		Object.keys(displayOptions?.show ?? {}).some((name) => name.startsWith('/')),
	);
}

/** Sets all parameters that are shown and not yet set, until nothing new appears. */
function filled(description: INodeTypeDescription, start: INodeParameters): INodeParameters {
	const { properties } = description;
	const values = structuredClone(start);
	const deciding = new Set(
		properties.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {})),
	);
	for (;;) {
		const all = NodeHelpers.getNodeParameters(properties, values, true, false, null, description) ?? {};
		const next = properties.find(
			(property) =>
				values[property.name] === undefined &&
				!['notice', 'hidden'].includes(property.type) &&
				!['operation', 'resource'].includes(property.name) &&
				NodeHelpers.displayParameter(all, property, null, description),
		);
		// Parameters that are not shown do not belong to the node.
		if (!next) return all;
		values[next.name] = deciding.has(next.name)
			? next.default
			: sampleOf(next, description, { ...all, ...values });
	}
}

/** Returns a value for a parameter that is not its default. */
function sampleOf(
	property: INodeProperties,
	description: INodeTypeDescription,
	root: INodeParameters,
): NodeParameterValueType {
	const isShown = (option: INodeProperties, values: INodeParameters) =>
		NodeHelpers.displayParameter(values, option, null, description, root);
	const group = (options: INodeProperties[], ...kept: string[]): INodeParameters => {
		const values: INodeParameters = {};
		// The options are visited twice, because an option may depend on a later one.
		for (const option of [...options, ...options]) {
			if (option.name in values || !isShown(option, values)) continue;
			values[option.name] = kept.includes(option.name) ? option.default : sampleOf(option, description, root);
		}
		return values;
	};
	if (property.type === 'collection') return group(property.options as INodeProperties[]);
	if (property.type === 'fixedCollection') {
		const isList = property.typeOptions?.multipleValues === true;
		// Two headers cannot have the same name.
		const isUnique = property.name === 'headers';
		return Object.fromEntries(
			(property.options as INodePropertyCollection[]).map(({ name, values }) => {
				// What decides about the others keeps its default in the first entry of a list, and not in the second.
				const first = group(values, ...decidingIn(values));
				if (isUnique) return [name, [first]];
				return [name, isList ? [first, group(values)] : group(values)];
			}),
		);
	}
	return valueOf(property, description.name);
}

/** Returns the names of the parameters on which the appearance of others depends. */
function decidingIn(properties: INodeProperties[]): string[] {
	return properties.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {}));
}
