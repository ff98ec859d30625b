import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { nodeTypes } from '../engine/nodeTypes';
import { everyOutput } from './everyOutput';
import { fileOf, schemaFiles, schemaIn, schemaOfOutput } from './files';
import { MEANINGS } from './meanings';

let outputs: Map<string, IDataObject[]>;
beforeAll(async () => void (outputs = await everyOutput()));

const itemsOf = ({ node, operation }: (typeof schemaFiles)[number]) => outputs.get(`${node} ${operation}`);

describe('The fields that n8n shows before the first run', () => {
	it('are there for every operation of every node', () => {
		const nodes = Object.values(nodeTypes).filter((node) => !('supplyData' in node));
		expect(new Set(schemaFiles.map(({ node }) => node)).size).toBe(nodes.length);
		const folder = path.join(__dirname, '../../../nodes');
		const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
		const files = all
			.filter((file) => /__schema__.*\.json$/.test(file))
			.map((file) => path.join(folder, file));
		expect(files.sort()).toEqual(schemaFiles.map(fileOf).sort());
	});

	it.each(schemaFiles)('of $node $operation are those of its runs (npm run schemas)', (schema) => {
		expect(schemaIn(schema)).toEqual(schemaOfOutput(schema, itemsOf(schema)));
	});

	it('are explained by each entry of the table of meanings', () => {
		const used = new Set<string>();
		for (const schema of schemaFiles) schemaOfOutput(schema, itemsOf(schema), used);
		expect(Object.keys(MEANINGS).filter((entry) => !used.has(entry))).toEqual([]);
	});
});

/** What an operation is asked for, which its table begins with. */
const FIRST: Record<string, string> = {
	'account getManyModels': 'id',
	'account getSubscription': 'hardLimitUsd',
	'chat chatCompletion': 'text',
	'chat generateContent': 'text',
	'chat message': 'text',
	'image generate': 'prompt',
	'music generate': 'title',
	'music get': 'title',
	'music wait': 'title',
	'rerank rerankList': 'document',
	'speech create': 'voice',
	'speech getManyVoices': 'name',
	'speech joinItems': 'title',
	'voiceModel create': 'name',
	'voiceModel getMany': 'name',
};
/** What cannot be flat: what a gateway adds, and where each of many items is in one file. */
const NESTED = ['otherFields', 'stories'];
/** A value that makes a table hard to read. What was asked for may be long and still comes first. */
const isLong = (value: unknown) =>
	typeof value === 'string' ? /^https?:/.test(value) : !Array.isArray(value) && typeof value === 'object';

describe('The table of simplified results', () => {
	it.each(Object.entries(FIRST))(
		'of %s is flat, begins with what was asked for (%s), and ends with long values',
		(title, first) => {
			const [json] = outputs.get(title)!;
			const keys = Object.keys(json);
			expect(keys[0]).toBe(first);
			const nested = keys.filter((key) => typeof json[key] === 'object' && json[key] !== null);
			expect(nested.filter((key) => !NESTED.includes(key))).toEqual([]);
			const long = keys.map((key) => isLong(json[key]));
			expect(long).toEqual([...long].sort());
		},
	);
});
