import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { pages, textOf, withTables } from './pages';

/** `npm run docs`: brings the tables of all pages up to date and says which pages have changed. */
async function generate(): Promise<void> {
	for (const page of await pages()) {
		const text = textOf(page);
		const renewed = withTables(page, text);
		if (renewed === text) continue;
		writeFileSync(page.file, renewed);
		console.log(`Wrote ${path.relative(process.cwd(), page.file)}`);
	}
}

void generate();
