import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { troubleshootingPage, withFailures } from './failurePages';
import { pages, textOf, withTables } from './pages';

/** `npm run docs`: brings what is made from the source up to date, and says which pages have changed. */
async function generate(): Promise<void> {
	for (const page of await pages()) renew(page.file, textOf(page), withTables(page, textOf(page)));
	const text = textOf({ file: troubleshootingPage });
	renew(troubleshootingPage, text, withFailures(text));
}

function renew(file: string, text: string | undefined, renewed: string): void {
	if (renewed === text) return;
	writeFileSync(file, renewed);
	console.log(`Wrote ${path.relative(process.cwd(), file)}`);
}

void generate();
