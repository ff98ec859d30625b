import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { commonOptionsPage, nodePages, pages, withCommonParameters, withTables } from './pages';
import { paidOncePage, troubleshootingPage, withKinds, withMessages, withRules } from './failures';
import { readmes, withNodes } from './readme';
import { compatibilityPage, withTestedVersions } from './testedVersions';
import { utilitiesPage, withCatalogue } from './utilities';
import { verificationPage, withGuidelines } from './verification';

/** `npm run docs`: brings the generated parts of the documentation up to date and lists the files that change. */
async function generate(): Promise<void> {
	const nodes = await nodePages();
	for (const page of await pages()) {
		const text = existsSync(page.file) ? readFileSync(page.file, 'utf8') : undefined;
		write(page.file, withTables(page, text), text);
	}
	update(commonOptionsPage, (text) => withCommonParameters(nodes, text));
	update(utilitiesPage, withCatalogue);
	update(verificationPage, withGuidelines);
	update(compatibilityPage, withTestedVersions);
	update(paidOncePage, withRules);
	update(troubleshootingPage, (text) => withMessages(withKinds(text)));
	for (const readme of readmes) update(readme.file, (text) => withNodes(text, readme, nodes));
}

function update(file: string, change: (text: string) => string): void {
	const text = readFileSync(file, 'utf8');
	write(file, change(text), text);
}

function write(file: string, changed: string, before: string | undefined): void {
	if (changed === before) return;
	writeFileSync(file, changed);
	console.log(`Wrote ${path.relative(process.cwd(), file)}`);
}

void generate();
