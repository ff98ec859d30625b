import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

/**
 * Returns the parameters of a node, each where its operation has it: at the top level, or in one of the operation's
 * lists of options. Pure.
 *
 * @param parameters at the top level or in `options`
 */
export function inLists(
	{ properties: all = [] }: Partial<Pick<INodeTypeDescription, 'properties'>> = {},
	{ options: flat, ...others }: INodeParameters,
): INodeParameters {
	const isObject = typeof flat === 'object' && flat !== null && !Array.isArray(flat);
	if (flat !== undefined && !isObject) return { ...others, options: flat };
	const properties = all.filter(({ displayOptions }) => {
		const operations = displayOptions?.show?.operation;
		return operations === undefined || operations.includes(others.operation as string);
	});
	const lists = properties.filter(({ type, name }) => type === 'collection' && LISTS.includes(name));
	const listOf = (name: string) =>
		lists.find(({ options }) => (options as INodeProperties[]).some((option) => option.name === name))?.name;
	const isField = (name: string) => properties.some((property) => property.name === name);
	const result: INodeParameters = {};
	const put = (name: string, value: INodeParameters[string], fallback: string | undefined) => {
		const list = isField(name) ? undefined : (listOf(name) ?? fallback);
		if (list !== undefined)
			result[list] = { ...(result[list] as INodeParameters | undefined), [name]: value };
		else if (LISTS.includes(name)) Object.assign((result[name] ??= {}), value);
		else result[name] = value;
	};
	for (const [name, value] of Object.entries(others)) put(name, value, undefined);
	for (const [name, value] of Object.entries((flat ?? {}) as INodeParameters)) put(name, value, 'options');
	return result;
}

const LISTS = ['options', 'limits', 'spending', 'tags'];
