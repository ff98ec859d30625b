import type { INodeProperties } from 'n8n-workflow';

import { commonOf, type CommonParameter } from './commonParameters';
import { choicesOf, describe, isAsked, isSameRow, labelOf, rowsOf, type Row } from './parameterRows';
import { tableOf } from './table';

/** Makes the tables of a page from the parameters that the editor shows. Pure. */

/** The parameters that an operation shows. */
interface Operation {
	/** Empty for a node without operations. */
	title: string;
	properties: INodeProperties[];
}

/** A row, with the operations that show it. */
interface Use {
	row: Row;
	operations: string[];
}

const COMMON_PAGE = '../common-options.md';

/** A page that describes some of the parameters of another page. */
export interface OtherPage {
	title: string;
	/** The name of the page's file. */
	name: string;
	rows: Row[];
}

/**
 * Tables with every parameter of a node, each once, in Markdown: one for each set of operations that share parameters.
 *
 * @param common parameters that are described on their own page; a line below the tables has those of their defaults
 *   that differ from node to node
 * @param others pages that describe parameters in the same way; below the tables are links to them
 */
export function parameterTables(
	properties: INodeProperties[],
	common: CommonParameter[] = [],
	others: OtherPage[] = [],
): string {
	const operations = operationsOf(properties);
	const uses = usesOf(operations, properties);
	const own = uses.filter(({ row }) => !commonOf(row, common));
	const linked = new Map<OtherPage, Row[]>();
	const groups = new Map<string, Row[]>();
	for (const use of own) {
		const other = others.find(({ rows }) => rows.some((row) => isSameRow(row, use.row)));
		if (other) {
			linked.set(other, [...(linked.get(other) ?? []), use.row]);
			continue;
		}
		const title = titleOf(use, operations);
		groups.set(title, [...(groups.get(title) ?? []), use.row]);
	}
	const tables = [...groups].map(([title, rows]) =>
		[title && `### ${title}`, tableOfRows(rows)].filter(Boolean).join('\n\n'),
	);
	const links = [...linked].map(([other, rows]) => linkLine(other, rows));
	return [...tables, ...links, commonLine(uses, operations, common)].filter(Boolean).join('\n\n');
}

/** Returns a line with a link to a page that describes some of the parameters. */
function linkLine({ title, name }: OtherPage, rows: Row[]): string {
	const labels = rows.map(({ path }) => `**${path.at(-1)}**`);
	return `As in [${title}](${name}#all-parameters): ${labels.join(', ')}.`;
}

/** Returns the displayed names of all operations; empty for a node without operations. */
export function operationNames(properties: INodeProperties[]): string[] {
	return operationsOf(properties)
		.map(({ title }) => title)
		.filter((title) => title !== '');
}

/** Returns the parameters of each operation. For a node without operations, returns those of the whole node as one. */
function operationsOf(properties: INodeProperties[]): Operation[] {
	const asked = properties.filter(isAsked);
	const selector = properties.find(({ name }) => name === OPERATION);
	if (!selector) return [{ title: '', properties: asked }];
	return choicesOf(selector).map(({ name, value }) => ({
		title: name,
		properties: asked.filter((property) => shows(property, value)),
	}));
}

/** The name of the parameter that selects the operation. */
const OPERATION = 'operation';

/** Tells whether a parameter is shown for an operation. */
function shows({ displayOptions }: INodeProperties, operation: unknown): boolean {
	const wanted = displayOptions?.show?.[OPERATION] as unknown[] | undefined;
	const unwanted = displayOptions?.hide?.[OPERATION] as unknown[] | undefined;
	return (wanted?.includes(operation) ?? true) && !(unwanted?.includes(operation) ?? false);
}

/**
 * Returns the different rows of all operations: first those that all operations share, then the others in order. Equal
 * options of two collections become one row, and so do rows that differ only in when they are shown.
 */
function usesOf(operations: Operation[], properties: INodeProperties[]): Use[] {
	const uses = new Map<string, { row: Row; conditions: Map<string, string> }>();
	for (const { title, properties: shown } of operations) {
		for (const row of shown.flatMap((property) => rowsOf(property, properties))) {
			const sameOperation = (key: string) => uses.get(key)?.conditions.get(title) ?? row.condition;
			const plain = JSON.stringify({ ...row, path: row.path.slice(-2), condition: '' });
			// Two variants in the same operation remain two rows.
			const key = sameOperation(plain) === row.condition ? plain : plain + row.condition;
			const known = uses.get(key) ?? { row, conditions: new Map<string, string>() };
			known.conditions.set(title, row.condition);
			uses.set(key, known);
		}
	}
	const isShared = (use: Use) => Number(use.operations.length === operations.length);
	return [...uses.values()]
		.map(({ row, conditions }) => ({
			row: { ...row, condition: conditionIn(conditions) },
			operations: [...conditions.keys()],
		}))
		.sort((one, other) => isShared(other) - isShared(one));
}

/** Returns the condition under which a row is shown. Names the operations if it differs between them. */
function conditionIn(conditions: Map<string, string>): string {
	if (new Set(conditions.values()).size === 1) return [...conditions.values()][0];
	return [...conditions]
		.filter(([, condition]) => condition !== '')
		.map(([title, condition]) => `${title}: ${condition.charAt(0).toLowerCase()}${condition.slice(1)}`)
		.join(' ');
}

function titleOf({ operations }: Use, all: Operation[]): string {
	if (all.length > 1 && operations.length === all.length) return 'All operations';
	return operations.join(', ');
}

function tableOfRows(rows: Row[]): string {
	return tableOf(
		['Parameter', 'Description', 'Default'],
		rows.map((row) => [`**${labelOf(row)}**`, describe(row), row.initial]),
	);
}

/** Returns a line with the defaults of common parameters that differ between nodes. */
function commonLine(uses: Use[], operations: Operation[], common: CommonParameter[]): string {
	const shared = uses.filter(({ row }) => commonOf(row, common));
	if (shared.length === 0) return '';
	const defaults = new Map<string, string[]>();
	for (const { row, operations: own } of shared) {
		if (row.initial === '—' || commonOf(row, common)?.defaults.length === 1) continue;
		const text = `**${row.path.at(-1)}** is ${row.initial}`;
		defaults.set(text, [...(defaults.get(text) ?? []), ...own]);
	}
	const list = [...defaults].map(([text, own]) =>
		own.length < operations.length ? `${text} (${own.join(', ')})` : text,
	);
	const ending = list.length > 0 ? `; by default, ${list.join('; ')}.` : '.';
	return `The [common options](${COMMON_PAGE}) apply as well${ending}`;
}
