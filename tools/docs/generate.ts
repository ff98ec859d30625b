import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

import { commonOptionsPage, nodePages, pages, textOf, withCommonParameters, withTables } from './pages';
import { readmes, withNodes } from './readme';
import { compatibilityPage, withTestedVersions } from './testedVersions';
import { codexFile, utilitiesPage, withCatalogue, withSearchWords } from './utilities';
import { verificationPage, withGuidelines } from './verification';

/** `npm run docs`: brings the generated parts of the documentation up to date and lists the files that change. */
async function generate(): Promise<void> {
	const nodes = await nodePages();
	for (const page of await pages()) update(page.file, (text) => withTables(page, text));
	update(commonOptionsPage, (text) => withCommonParameters(nodes, text));
	update(utilitiesPage, withCatalogue);
	update(verificationPage, withGuidelines);
	update(compatibilityPage, withTestedVersions);
	for (const readme of readmes) update(readme.file, (text = '') => withNodes(text, readme, nodes));
	const codex = await format(withSearchWords(textOf({ file: codexFile }) ?? '{}'), {
		...(await resolveConfig(codexFile)),
		filepath: codexFile,
	});
	update(codexFile, () => codex);
}

function update(file: string, change: (text: string | undefined) => string): void {
	const text = textOf({ file });
	const changed = change(text);
	if (changed === text) return;
	writeFileSync(file, changed);
	console.log(`Wrote ${path.relative(process.cwd(), file)}`);
}

void generate();
