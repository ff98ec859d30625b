import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** Turns parameters into the rows of a page's tables. Pure. */

/** One row of a table. */
export interface Row {
	/** Labels of the collections that the parameter is in, and its own, e.g. `Options` and `Max Retries`. */
	path: string[];
	/** The condition under which the parameter is shown, for example `When **Input** is Prompt.`; empty for always. */
	condition: string;
	description: string;
	/** Limits and choices, in sentences. */
	facts: string;
	/** The default; a dash for none. */
	initial: string;
}

/** The parameter that selects the operation. Its choices become the titles of the tables. */
const SELECTOR = 'operation';

/** The display condition for a node that is a tool. */
const AS_TOOL = '@tool';

/** The types of parameters that take no input. */
const SILENT_TYPES = ['notice', 'hidden', 'button', 'callout'];

/** Tells whether a parameter is listed in tables. */
export function isAsked({ name, type }: INodeProperties): boolean {
	return name !== SELECTOR && !SILENT_TYPES.includes(type);
}

/** Returns the label of a parameter, preceded by those of the collections around it. */
export function labelOf({ path }: Row): string {
	return path.join(' → ');
}

/** Returns the table's description of a parameter, without its default. */
export function describe({ condition, description, facts }: Row): string {
	const sentence = description && `${description.replace(/\.$/, '')}.`;
	return [condition && `_${condition}_`, sentence, facts].filter(Boolean).join(' ');
}

/** Tells whether two pages describe a parameter in the same way. */
export function isSameRow(one: Row, other: Row): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the row of a parameter, followed by those of the parameters in it. A collection itself has no row. */
export function rowsOf(
	property: INodeProperties,
	siblings: INodeProperties[],
	path: string[] = [],
	outerCondition = '',
	root = siblings,
): Row[] {
	const label = [...path, property.displayName];
	const condition = [outerCondition, conditionOf(property, siblings, root)].filter(Boolean).join(' ');
	const groups = groupsOf(property);
	const inner = groups.flatMap(({ name, values }) =>
		values
			.filter(isAsked)
			.flatMap((entry) =>
				rowsOf(
					entry,
					values,
					groups.length > 1 ? [...label, name] : label,
					property.type === 'collection' ? condition : '',
					root,
				),
			),
	);
	if (property.type === 'collection') return inner;
	const { description = '' } = property;
	const own = { path: label, condition, description, facts: factsOf(property), initial: initialOf(property) };
	return [own, ...inner];
}

/** Returns the groups of parameters in a fixed collection, or the parameters in a collection as one group. */
function groupsOf({
	type,
	options = [],
}: INodeProperties): Array<{ name: string; values: INodeProperties[] }> {
	if (type === 'collection') return [{ name: '', values: options as INodeProperties[] }];
	if (type !== 'fixedCollection') return [];
	return (options as INodePropertyCollection[]).map(({ displayName, values }) => ({
		name: displayName,
		values,
	}));
}

/** Returns the condition under which a parameter is shown, apart from its operation: `When **Input** is Prompt.` */
function conditionOf(
	{ displayOptions }: INodeProperties,
	siblings: INodeProperties[],
	root: INodeProperties[],
): string {
	const parts = [
		...conditionsOf(displayOptions?.show, 'is', siblings, root),
		...conditionsOf(displayOptions?.hide, 'is not', siblings, root),
	];
	return parts.length > 0 ? `When ${parts.join(' and ')}.` : '';
}

/** A name with a leading slash is that of a parameter of the node itself. */
function conditionsOf(
	rules: object | undefined,
	verb: string,
	siblings: INodeProperties[],
	root: INodeProperties[],
): string[] {
	return Object.entries(rules ?? {})
		.filter(([name, wanted]) => name !== SELECTOR && !(name === AS_TOOL && !(wanted as unknown[])[0]))
		.map(([name, wanted]) => {
			if (name === AS_TOOL) return 'the node is a tool of an AI Agent';
			const key = name.replace(/^\//, '');
			const candidates = name.startsWith('/') ? root : siblings;
			const controllers = candidates.filter((candidate) => candidate.name === key);
			const values = (wanted as unknown[]).map((value) => nameOfValue(controllers, value));
			return `**${controllers[0]?.displayName ?? key}** ${verb} ${listOf(values)}`;
		});
}

/** Joins values as in `A, B or C`. */
function listOf(values: string[]): string {
	return [values.slice(0, -1).join(', '), values[values.length - 1]].filter(Boolean).join(' or ');
}

function nameOfValue(controllers: INodeProperties[], value: unknown): string {
	const choices = controllers.flatMap(choicesOf);
	return choices.find((choice) => choice.value === value)?.name ?? plain(value);
}

/** Returns the choices of a list parameter. */
export function choicesOf(property: INodeProperties | undefined): INodePropertyOptions[] {
	return property?.type === 'options' || property?.type === 'multiOptions'
		? ((property.options ?? []) as INodePropertyOptions[])
		: [];
}

function initialOf(property: INodeProperties): string {
	const { default: initial } = property;
	if (Array.isArray(initial)) {
		return initial.length > 0 ? initial.map((value) => nameOfValue([property], value)).join(', ') : '—';
	}
	if (typeof initial === 'object' && initial !== null) return code((initial as { value?: unknown }).value);
	const choice = choicesOf(property).find(({ value }) => value === initial);
	if (choice) return choice.name;
	return typeof initial === 'boolean' ? plain(initial) : code(initial);
}

/** Returns the choices of a parameter, and its limits unless its description states them. */
function factsOf(property: INodeProperties): string {
	const { typeOptions, required, description = '' } = property;
	const limits = limitsOf(typeOptions);
	const choices = choicesOf(property).map(({ name }) => `_${name}_`);
	return [required ? 'Required' : '', description.includes(limits) ? '' : limits, choices.join(', ')]
		.filter(Boolean)
		.map((fact) => `${fact}.`)
		.join(' ');
}

function limitsOf(typeOptions: INodeProperties['typeOptions']): string {
	const { minValue, maxValue } = typeOptions ?? {};
	if (minValue !== undefined && maxValue !== undefined) return `${minValue} to ${maxValue}`;
	if (minValue !== undefined) return minValue === 0 ? '' : `${minValue} or more`;
	return maxValue === undefined ? '' : `${maxValue} or less`;
}

/** Returns a value in words. */
function plain(value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	return value === '' || value === undefined ? 'empty' : `${value as string | number}`;
}

/** The length of the longest default that a table shows. The editor shows longer ones, such as examples. */
const LONGEST_DEFAULT = 40;

/** Returns a value as code, and a dash for an empty value. */
function code(value: unknown): string {
	const text = value === undefined || value === null ? '' : `${value as string | number}`;
	if (text === '') return '—';
	if (text.length > LONGEST_DEFAULT) return 'see the editor';
	return `\`${text.replaceAll(/\s+/g, ' ')}\``;
}
