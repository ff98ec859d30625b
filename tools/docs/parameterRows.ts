import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** What the tables of a page say about a parameter; pure. */

/** One row of a table. */
export interface Row {
	/** Labels of the collections that the parameter is in, and its own, e.g. `Options` and `Max Retries`. */
	path: string[];
	/** When the parameter is shown, e.g. `When **Input** is Prompt.`; empty for always. */
	condition: string;
	description: string;
	/** Limits and choices, in sentences. */
	facts: string;
	/** The default; a dash for none. */
	initial: string;
}

/** Selects what to do; its choices become the titles of the tables. */
const SELECTOR = 'operation';

/** Whether the node is a tool. */
const AS_TOOL = '@tool';

/** Parameters that take no input. */
const SILENT_TYPES = ['notice', 'hidden', 'button', 'callout'];

/** Whether a parameter is listed in tables. */
export function isAsked({ name, type }: INodeProperties): boolean {
	return name !== SELECTOR && !SILENT_TYPES.includes(type);
}

/** The label of a parameter with those of the collections around it. */
export function labelOf({ path }: Row): string {
	return path.join(' → ');
}

/** What a table says about a parameter besides its default. */
export function describe({ condition, description, facts }: Row): string {
	const sentence = description && `${description.replace(/\.$/, '')}.`;
	return [condition && `_${condition}_`, sentence, facts].filter(Boolean).join(' ');
}

/** Whether two pages say the same about a parameter. */
export function isSameRow(one: Row, other: Row): boolean {
	return JSON.stringify(one) === JSON.stringify(other);
}

/** The row of a parameter, followed by those of the parameters in it; a collection has no row of its own. */
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

/** The parameters in a collection, or those of each group of a fixed one. */
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

/** When a parameter is shown, apart from its operation: `When **Input** is Prompt.` */
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

/** `A, B or C` */
function listOf(values: string[]): string {
	return [values.slice(0, -1).join(', '), values[values.length - 1]].filter(Boolean).join(' or ');
}

function nameOfValue(controllers: INodeProperties[], value: unknown): string {
	const choices = controllers.flatMap(choicesOf);
	return choices.find((choice) => choice.value === value)?.name ?? plain(value);
}

/** The choices of a list parameter. */
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

/** The limits of a parameter, unless its description says them, and its choices. */
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

/** A value in words. */
function plain(value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	return value === '' || value === undefined ? 'empty' : `${value as string | number}`;
}

/** The editor shows longer ones, such as examples. */
const LONGEST_DEFAULT = 40;

/** A value as code; a dash for an empty one. */
function code(value: unknown): string {
	const text = value === undefined || value === null ? '' : `${value as string | number}`;
	if (text === '') return '—';
	if (text.length > LONGEST_DEFAULT) return 'see the editor';
	return `\`${text.replaceAll(/\s+/g, ' ')}\``;
}
