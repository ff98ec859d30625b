import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { generated } from './generated';

/** `npm run docs`: brings the generated parts of the documentation up to date and lists the files that change. */
async function generate(): Promise<void> {
	for (const { file, update } of await generated()) {
		const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
		const updated = update(text);
		if (updated === text) continue;
		writeFileSync(file, updated);
		console.log(`Wrote ${path.relative(process.cwd(), file)}`);
	}
}

void generate();
