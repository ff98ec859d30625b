import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { nodeTypes, PACKAGE } from '../engine/nodeTypes';
import { everyOutput } from './everyOutput';
import { requireDescribed, validator } from './everyRun';
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

	it.each(schemaFiles.filter(({ operation }) => operation !== 'getCustomEndpoint'))(
		'of $node $operation fit each item of its runs, and not one with another field or type',
		(schema) => {
			const validate = validator(schemaIn(schema)!);
			const items = itemsOf(schema)!;
			expect(items.length).toBeGreaterThan(0);
			for (const item of items) {
				expect([validate(item), validate.errors]).toEqual([true, null]);
				expect(validate({ ...item, planted: 1 })).toBe(false);
				for (const name of Object.keys(item)) expect(validate({ ...item, [name]: Symbol() })).toBe(false);
			}
		},
	);

	it('are checked in each run, even if a workflow leaves out the operation, or keeps the fields of the input', () => {
		const check = (parameters: INodeParameters, json: object) =>
			requireDescribed([{ name: 'Speak', type: `${PACKAGE}.speech`, parameters }], {
				Speak: [{ data: { main: [[{ json }]] } }],
			});
		const keeping = { options: { includeInputFields: true } };
		expect(() => check({}, { planted: 1 })).toThrow('planted');
		expect(() => check(keeping, { durationSeconds: 'long' })).toThrow('durationSeconds');
		expect(() => check(keeping, { ofTheRow: 1, durationSeconds: 2 })).not.toThrow();
	});

	it('are explained by each entry of the table of meanings', () => {
		const used = new Set<string>();
		for (const schema of schemaFiles) schemaOfOutput(schema, itemsOf(schema), used);
		expect(Object.keys(MEANINGS).filter((entry) => !used.has(entry))).toEqual([]);
	});
});
