import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { n8n } from '../../../package.json';
import { nodeTypes, operationsOf, PACKAGE } from '../engine/nodeTypes';
import { meaningOf } from './meanings';
import { type Schema, schemaOf } from './schemaOf';

/** The schema of an operation whose fields depend on its parameters. */
const OF_ANY_ENDPOINT: Schema & { additionalProperties: boolean } = {
	type: 'object',
	description: 'The fields that the endpoint returns',
	properties: {},
	additionalProperties: true,
};

/** An operation, with the file that contains the schema of its output. */
export interface SchemaFile {
	node: string;
	operation: string;
	/** Below the project. n8n looks for it beside the node, by the version, the resource, and the operation. */
	file: string;
}

/** The schema file of every operation of every node. Sub-nodes have none, because they output no items. */
export const schemaFiles: SchemaFile[] = Object.entries(nodeTypes).flatMap(([type, node]) => {
	if ('supplyData' in node) return [];
	const name = type.slice(PACKAGE.length + 1);
	const built = n8n.nodes.find((file) => file.toLowerCase().endsWith(`/${name.toLowerCase()}.node.js`))!;
	const folder = path.join(path.dirname(built).replace(/^dist\//, ''), '__schema__/v1.0.0');
	const { default: resource } = node.description.properties.find((property) => property.name === 'resource')!;
	return operationsOf(node).map((operation) => ({
		node: name,
		operation,
		file: path.join(folder, resource as string, `${operation}.json`),
	}));
});

const project = path.join(__dirname, '../../..');

/** Returns the absolute path of a schema file. */
export const fileOf = ({ file }: SchemaFile): string => path.join(project, file);

/** Returns the schema in a file; undefined if there is none. */
export function schemaIn(schema: SchemaFile): Schema | undefined {
	const file = fileOf(schema);
	return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Schema) : undefined;
}

/** The schema of what an operation outputs. @param used gets the entries of the table of meanings that it takes */
export function schemaOfOutput(
	{ node, operation }: SchemaFile,
	items: IDataObject[] | undefined,
	used = new Set<string>(),
): Schema {
	if (operation === 'getCustomEndpoint') return OF_ANY_ENDPOINT;
	if (items === undefined)
		throw new Error(`No run of ${node} ${operation}: see test/integration/faults/operations.ts.`);
	return schemaOf(items, (names, siblings) => {
		const meaning = meaningOf(node, operation, names, siblings);
		if (meaning?.entry !== undefined) used.add(meaning.entry);
		return meaning?.text;
	});
}
