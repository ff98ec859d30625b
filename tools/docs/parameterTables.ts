import type { INodeProperties } from 'n8n-workflow';

import { commonLine, commonOf, type CommonParameter } from './commonParameters';
import { choicesOf, isAsked, rowsOf, type Row } from './parameterRows';
import { tableOf } from './table';

/** The tables of a page, made from the parameters that the editor shows; pure. */

/** The parameters that an operation shows. */
export interface Section {
	/** Empty for a node that has no operations. */
	title: string;
	description: string;
	properties: INodeProperties[];
}

/**
 * A table for each operation, in Markdown, with every parameter, including nested ones.
 *
 * @param level level of the titles, e.g. 3 for `###`
 * @param common parameters that are described on a page of their own; a line below the table links to them
 */
export function parameterTables(
	properties: INodeProperties[],
	level: number,
	common: CommonParameter[] = [],
): string {
	return sectionsOf(properties)
		.map(({ title, description, properties: shown }) => {
			const rows = shown.flatMap((property) => rowsOf(property, properties));
			return [
				title && `${'#'.repeat(level)} ${title}`,
				description && `${description.replace(/\.$/, '')}.`,
				tableOfRows(
					rows.filter((row) => !commonOf(row, common)),
					rows.length === 0,
				),
				commonLine(rows, common),
			]
				.filter(Boolean)
				.join('\n\n');
		})
		.join('\n\n');
}

/** The labels of all parameters that have no description, with the labels of the collections that they are in. */
export function undescribed(properties: INodeProperties[]): string[] {
	const rows = properties.filter(isAsked).flatMap((property) => rowsOf(property, properties));
	return [...new Set(rows.filter(({ description }) => description === '').map(labelOf))];
}

/** The displayed names of all operations; none for a node that has no operations. */
export function operationNames(properties: INodeProperties[]): string[] {
	return sectionsOf(properties)
		.map(({ title }) => title)
		.filter((title) => title !== '');
}

/** The parameters of each operation; of a node that has no operations, those of the whole node. */
export function sectionsOf(properties: INodeProperties[]): Section[] {
	const asked = properties.filter(isAsked);
	const selector = properties.find(({ name }) => name === OPERATION);
	if (!selector) return [{ title: '', description: '', properties: asked }];
	return choicesOf(selector).map(({ name, description = '', value }) => ({
		title: name,
		description,
		properties: asked.filter((property) => shows(property, value)),
	}));
}

/** The parameter that decides which others are shown. */
const OPERATION = 'operation';

/** Whether a parameter is shown for an operation. */
function shows({ displayOptions }: INodeProperties, operation: unknown): boolean {
	const wanted = displayOptions?.show?.[OPERATION] as unknown[] | undefined;
	const unwanted = displayOptions?.hide?.[OPERATION] as unknown[] | undefined;
	return (wanted?.includes(operation) ?? true) && !(unwanted?.includes(operation) ?? false);
}

function tableOfRows(rows: Row[], isWithoutParameters: boolean): string {
	if (rows.length === 0) return isWithoutParameters ? 'No parameters.' : '';
	return tableOf(
		['Parameter', 'Description', 'Default', 'Values'],
		rows.map((row) => [labelOf(row), describe(row), row.initial, row.values]),
	);
}

function labelOf({ path }: Row): string {
	return `**${path.join(' → ')}**`;
}

function describe({ condition, description }: Row): string {
	return condition && description ? `_${condition}_ ${description}` : description;
}
