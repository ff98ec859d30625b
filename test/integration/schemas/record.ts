import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { everyOutput } from './everyOutput';
import { fileOf, schemaFiles, schemaOfOutput } from './files';

/** `npm run schemas`: writes the fields that each operation outputs, as n8n shows them before the first run. */
async function main(): Promise<void> {
	const outputs = await everyOutput();
	const roots = new Set(schemaFiles.map((schema) => path.join(path.dirname(fileOf(schema)), '../..')));
	for (const root of roots) await rm(root, { recursive: true, force: true });
	for (const schema of schemaFiles) {
		const content = schemaOfOutput(schema, outputs.get(`${schema.node} ${schema.operation}`));
		await mkdir(path.dirname(fileOf(schema)), { recursive: true });
		await writeFile(fileOf(schema), `${JSON.stringify(content, null, 2)}\n`);
	}
	console.log(`${schemaFiles.length} operations.`);
}

void main();
