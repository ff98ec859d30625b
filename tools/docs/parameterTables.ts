import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

/** The tables of a page, made from the parameters that the editor shows; pure. */

/** One row of a table: a parameter and what may stand in it. */
interface Row {
	/** Label with the labels of what it lies in, e.g. `Options → Max Retries`. */
	label: string;
	description: string;
	initial: string;
	values: string;
}

/** The parameters that one choice of resource and operation shows. */
interface Section {
	/** Empty for a node that has no operations. */
	title: string;
	description: string;
	properties: INodeProperties[];
}

/** Parameters that say what to do: they become the titles of the tables. */
const SELECTORS = ['resource', 'operation'];

/** Parameters that hold nothing of the user's. */
const SILENT_TYPES = ['notice', 'hidden', 'button', 'callout'];

/**
 * A table for each operation, in Markdown, with every parameter, nested ones included.
 *
 * @param level how deep the titles are, e.g. 3 for `###`
 */
export function parameterTables(properties: INodeProperties[], level: number): string {
	return sectionsOf(properties)
		.map(({ title, description, properties: shown }) =>
			[
				title && `${'#'.repeat(level)} ${title}`,
				description && `${description}.`,
				tableOf(shown.flatMap((property) => rowsOf(property, properties))),
			]
				.filter(Boolean)
				.join('\n\n'),
		)
		.join('\n\n');
}

/** The labels, with those of what they lie in, of all parameters that say nothing about themselves. */
export function undescribed(properties: INodeProperties[]): string[] {
	const rows = properties.filter(isAsked).flatMap((property) => rowsOf(property, properties));
	return [...new Set(rows.filter(({ description }) => description === '').map(({ label }) => label))];
}

function isAsked({ name, type }: INodeProperties): boolean {
	return !SELECTORS.includes(name) && !SILENT_TYPES.includes(type);
}

function sectionsOf(properties: INodeProperties[]): Section[] {
	const resources = choicesOf(properties.find(({ name }) => name === 'resource'));
	const asked = properties.filter(isAsked);
	const selectors = properties.filter(({ name }) => name === 'operation');
	if (selectors.length === 0) return [{ title: '', description: '', properties: asked }];
	return (resources.length > 0 ? resources : [undefined]).flatMap((resource) =>
		selectors
			.filter((selector) => shows(selector, 'resource', resource?.value))
			.flatMap((selector) => choicesOf(selector))
			.map((operation) => ({
				title: [resource?.name, operation.name].filter(Boolean).join(' → '),
				description: operation.description ?? '',
				properties: asked.filter(
					(property) =>
						shows(property, 'resource', resource?.value) && shows(property, 'operation', operation.value),
				),
			})),
	);
}

/** Whether a parameter is shown when a selector has this value; true for what does not depend on it. */
function shows({ displayOptions }: INodeProperties, selector: string, value: unknown): boolean {
	const wanted = displayOptions?.show?.[selector] as unknown[] | undefined;
	const unwanted = displayOptions?.hide?.[selector] as unknown[] | undefined;
	if (value === undefined) return true;
	return (wanted?.includes(value) ?? true) && !(unwanted?.includes(value) ?? false);
}

/** A parameter's row, and those of what it is made of. */
function rowsOf(
	property: INodeProperties,
	siblings: INodeProperties[],
	path: string[] = [],
	outerCondition = '',
): Row[] {
	const label = [...path, property.displayName];
	const condition = [outerCondition, conditionOf(property, siblings)].filter(Boolean).join(' ');
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
				),
			),
	);
	// A collection is only the place where its entries are.
	if (property.type === 'collection') return inner;
	const { description = '' } = property;
	const row = {
		label: `**${label.join(' → ')}**`,
		description: description && [condition, description].filter(Boolean).join(' '),
		initial: initialOf(property),
		values: valuesOf(property),
	};
	return [row, ...inner];
}

/** What a parameter is made of: the entries of a collection, or the groups of a fixed one. */
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

/** When a parameter is shown, apart from its operation: `_When **Input** is Prompt._` */
function conditionOf({ displayOptions }: INodeProperties, siblings: INodeProperties[]): string {
	const parts = [
		...conditionsOf(displayOptions?.show, 'is', siblings),
		...conditionsOf(displayOptions?.hide, 'is not', siblings),
	];
	return parts.length > 0 ? `_When ${parts.join(' and ')}._` : '';
}

function conditionsOf(rules: object | undefined, verb: string, siblings: INodeProperties[]): string[] {
	return Object.entries(rules ?? {})
		.filter(([name]) => !SELECTORS.includes(name) && !name.startsWith('@'))
		.map(([name, wanted]) => {
			const key = name.replace(/^\//, '');
			const controllers = siblings.filter((sibling) => sibling.name === key);
			const values = (wanted as unknown[]).map((value) => nameOfValue(controllers, value));
			return `**${controllers[0]?.displayName ?? key}** ${verb} ${values.join(' or ')}`;
		});
}

function nameOfValue(controllers: INodeProperties[], value: unknown): string {
	const choices = controllers.flatMap(choicesOf);
	return choices.find((choice) => choice.value === value)?.name ?? plain(value);
}

function choicesOf(property: INodeProperties | undefined): INodePropertyOptions[] {
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

function valuesOf(property: INodeProperties): string {
	const { typeOptions, type, modes, required } = property;
	const choices = choicesOf(property).map(
		({ name, value, description }) =>
			`_${name}_${value === '' ? '' : ` ${code(value)}`}${description ? `: ${description}` : ''}`,
	);
	const facts = [
		required ? 'required' : '',
		limitsOf(typeOptions),
		type === 'json' ? 'JSON' : '',
		type === 'dateTime' ? 'a day' : '',
		modes ? modes.map(({ displayName }) => displayName).join(' or ') : '',
		typeOptions?.multipleValues ? 'any number of entries' : '',
		type === 'multiOptions' ? 'any of' : '',
	].filter(Boolean);
	return [facts.join(', '), ...choices].filter(Boolean).join('<br>') || '—';
}

function limitsOf(typeOptions: INodeProperties['typeOptions']): string {
	const { minValue, maxValue } = typeOptions ?? {};
	if (minValue !== undefined && maxValue !== undefined) return `${minValue} to ${maxValue}`;
	if (minValue !== undefined) return `${minValue} or more`;
	return maxValue === undefined ? '' : `${maxValue} or less`;
}

/** A value as people say it. */
function plain(value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	return value === '' || value === undefined ? 'empty' : `${value as string | number}`;
}

/** A value as it is typed; a dash for nothing. */
function code(value: unknown): string {
	const text = value === undefined || value === null ? '' : `${value as string | number}`;
	if (text === '') return '—';
	return `\`${text.replaceAll(/\s+/g, ' ')}\``;
}

function tableOf(rows: Row[]): string {
	if (rows.length === 0) return 'No parameters.';
	const lines = rows.map(({ label, description, initial, values }) => [label, description, initial, values]);
	return [
		'| Parameter | What it is | Default | Values |',
		'| --- | --- | --- | --- |',
		...lines.map((cells) => `| ${cells.map(cellOf).join(' | ')} |`),
	].join('\n');
}

/** Markup that the editor understands, or that would end the cell, becomes text. */
function cellOf(text: string): string {
	return text
		.replaceAll(/<a [^<>]*href="([^"]*)"[^<>]*>([^<>]*)<\/a>/g, '[$2]($1)')
		.replaceAll(/<\/?code>/g, '`')
		.replaceAll('|', '\\|')
		.replaceAll(/\s*\n\s*/g, ' ');
}
