import type { INodeProperties } from 'n8n-workflow';

import { describe, isAsked, labelOf, rowsOf, type Row } from './parameterRows';
import { tableOf } from './table';

/** Finds the parameters that several nodes have in common, which one table describes once. Pure. */

/** A parameter with the same label and description in several nodes. */
export interface CommonParameter {
	row: Row;
	/** The different defaults in the nodes. */
	defaults: string[];
}

/** The number of nodes that must share a parameter so that their pages no longer describe it. */
const SEVERAL = 3;

/** Returns the parameters that several of the nodes have in common, by label. */
export function commonParameters(
	nodes: Array<{ title: string; properties: INodeProperties[] }>,
): CommonParameter[] {
	const found = new Map<string, Array<{ row: Row; title: string }>>();
	for (const { title, properties } of nodes) {
		for (const row of properties.filter(isAsked).flatMap((property) => rowsOf(property, properties))) {
			found.set(identityOf(row), [...(found.get(identityOf(row)) ?? []), { row, title }]);
		}
	}
	return [...found.values()]
		.filter((uses) => new Set(uses.map(({ title }) => title)).size >= SEVERAL)
		.map((uses) => {
			const rows = uses.map(({ row }) => row);
			const isUsual = rows.every(({ condition }) => condition === rows[0].condition);
			return {
				row: isUsual ? rows[0] : { ...rows[0], condition: '' },
				defaults: [...new Set(rows.map(({ initial }) => initial))],
			};
		})
		.sort((one, other) => labelOf(one.row).localeCompare(labelOf(other.row)));
}

/** Returns the common parameter that a row describes; undefined for a parameter that only its node has. */
export function commonOf(row: Row, common: CommonParameter[]): CommonParameter | undefined {
	return common.find((parameter) => identityOf(parameter.row) === identityOf(row));
}

/** Returns the table that describes the common parameters, in Markdown. */
export function commonTable(common: CommonParameter[]): string {
	return tableOf(
		['Parameter', 'Description', 'Default'],
		common.map(({ row, defaults }) => [
			`**${labelOf(row)}**`,
			describe(row),
			defaults.length === 1 ? defaults[0] : 'see the node',
		]),
	);
}

function identityOf(row: Row): string {
	return JSON.stringify([labelOf(row), row.description, row.facts]);
}
