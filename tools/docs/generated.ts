import path from 'node:path';
import { serverResults } from '../../test/server/results';
import { guidelines } from '../../test/verify/guidelines';
import { withKinds, withMessages, withRules } from './failures';
import { nodePages, pages, project, withCommonParameters, withTables } from './pages';
import { readmes, withNodes } from './readme';
import { withSection } from './section';
import { tableOf } from './table';
import { withCatalogue } from './utilities';

/** A file of the documentation with parts that are generated from the source. */
export interface Generated {
	/** The absolute path. */
	file: string;
	/** Brings these parts up to date. @param text the file as it is; undefined for the page of a new node */
	update: (text: string | undefined) => string;
}

/** Returns all parts that `npm run docs` writes. */
export async function generated(): Promise<Generated[]> {
	const nodes = await nodePages();
	const existing = (file: string, update: (text: string) => string): Generated => ({
		file: path.join(project, file),
		update: (text = '') => update(text),
	});
	return [
		...(await pages()).map((page) => ({
			file: page.file,
			update: (text: string | undefined) => withTables(page, text),
		})),
		existing('docs/common-options.md', (text) => withCommonParameters(nodes, text)),
		existing('docs/nodes/utilities.md', withCatalogue),
		existing('docs/dev/verification.md', withGuidelines),
		existing('docs/compatibility.md', withTestedVersions),
		existing('docs/paid-once.md', withRules),
		existing('docs/troubleshooting.md', (text) => withMessages(withKinds(text))),
		...readmes.map((readme) => existing(readme.file, (text) => withNodes(text, readme, nodes))),
	];
}

/** Returns a page with an up-to-date table of all guidelines. */
function withGuidelines(text: string): string {
	const rows = guidelines.map(({ name, link, evidence }) => [
		link ? `[${name}](${link})` : `${name} (our own)`,
		evidence,
	]);
	return withSection(text, 'guidelines', tableOf(['Guideline', 'How the package follows it'], rows));
}

/** Returns a page with an up-to-date table of the tested versions of n8n. */
function withTestedVersions(text: string): string {
	const titles = ['n8n', 'How n8n runs', 'Node.js', 'n8n asks for', 'Passed', 'Not applicable', 'Date'];
	const rows = serverResults().map(({ n8n, shape, node, asksFor, passed, skipped, date }) => [
		...[n8n, shape, node, asksFor, String(passed), String(skipped), date],
	]);
	return withSection(text, 'versions', tableOf(titles, rows));
}
