import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/**
 * The parameters of a node with each of them where the node has it: at the top level, or in one of its lists of options.
 * Pure.
 *
 * @param parameters at the top level or in `options`
 */
export function inLists(
	{ properties = [] }: Partial<Pick<INodeTypeDescription, 'properties'>> = {},
	{ options: flat, ...others }: INodeParameters,
): INodeParameters {
	const isObject = typeof flat === 'object' && flat !== null && !Array.isArray(flat);
	if (flat !== undefined && !isObject) return { ...others, options: flat };
	const lists = properties.filter(({ type, name }) => type === 'collection' && LISTS.includes(name));
	const listOf = (name: string) =>
		lists.find(({ options }) => (options as INodeProperties[]).some((option) => option.name === name))?.name;
	const isField = (name: string) => properties.some((property) => property.name === name);
	const result: INodeParameters = {};
	const put = (list: string | undefined, name: string, value: INodeParameters[string]) => {
		if (list === undefined) result[name] = value;
		else result[list] = { ...(result[list] as INodeParameters | undefined), [name]: value };
	};
	for (const [name, value] of Object.entries(others)) {
		put(isField(name) ? undefined : listOf(name), name, value);
	}
	for (const [name, value] of Object.entries((flat ?? {}) as INodeParameters)) {
		// What has become a field may stand in the options of an older test.
		put(listOf(name) ?? (isField(name) ? undefined : 'options'), name, value);
	}
	return result;
}

const LISTS = ['options', 'limits', 'spending'];
