import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { troubleshootingPage, withFailures } from './failurePages';
import { interfacePage, withInterface } from './interface/page';
import { limitsPage, withLimits } from './limits';
import { commonOptionsPage, nodePages, pages, textOf, withCommonParameters, withTables } from './pages';
import { readmes, withNodes } from './readme';
import { compatibilityPage, withTestedVersions } from './testedVersions';
import { outputsPage, withOutputs } from './utilitiesOutputs';
import { verificationPage, withGuidelines } from './verification';

/** `npm run docs`: brings the generated parts of the documentation up to date and lists the pages that change. */
async function generate(): Promise<void> {
	const nodes = await nodePages();
	for (const page of await pages()) update(page.file, (text) => withTables(page, text));
	update(commonOptionsPage, (text) => withCommonParameters(nodes, text));
	update(troubleshootingPage, withFailures);
	update(limitsPage, withLimits);
	update(outputsPage, withOutputs);
	const interfaceText = await withInterface(textOf({ file: interfacePage }));
	update(interfacePage, () => interfaceText);
	update(verificationPage, withGuidelines);
	update(compatibilityPage, withTestedVersions);
	for (const readme of readmes) update(readme.file, (text = '') => withNodes(text, readme, nodes));
}

function update(file: string, change: (text: string | undefined) => string): void {
	const text = textOf({ file });
	const changed = change(text);
	if (changed === text) return;
	writeFileSync(file, changed);
	console.log(`Wrote ${path.relative(process.cwd(), file)}`);
}

void generate();
