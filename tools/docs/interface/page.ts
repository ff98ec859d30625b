import path from 'node:path';

import { pages, project, type Page } from '../pages';
import { withSection } from '../section';
import { tableOf } from '../table';
import { beginning } from './beginning';
import { chatResources } from './chatResources';
import { ending } from './ending';
import { chatEndpoints } from './endpoints';
import { lists } from './lists';
import { media } from './media';
import { mediaResources } from './mediaResources';
import { places } from './places';
import { linkTo } from './resolve';
import { TEST_FILES, type InterfaceRow, type InterfaceSection, type TestName } from './row';
import { utilityRows } from './utilityRows';

export const interfacePage = path.join(project, 'docs', 'interface.md');

/** Every section of the interface document except the table of utility endpoints. */
export const sections: readonly InterfaceSection[] = [
	...beginning,
	...chatResources,
	...mediaResources,
	...chatEndpoints,
	...media,
	...lists,
	...ending,
];

/** The page with up-to-date tables. @throws Error if a row names something that a node does not have */
export async function withInterface(text: string | undefined): Promise<string> {
	const nodes = await pages();
	const main = sections.flatMap(({ rows }) => rows);
	const utilities = utilityRows();
	const content = [
		`${main.length} rows for the main API and ${utilities.length} for the utilities. ${onPurpose([...main, ...utilities])} of them differ on purpose, each with its reason; all others are used as documented.`,
		...sections.map(({ number, title, rows }) => tableWith(headingOf(number, title), rows, nodes)),
		tableWith('Utility endpoints', utilities, nodes),
		`## Places that can be read in two ways\n\n${placesTable(nodes)}`,
	].join('\n\n');
	return withSection(text ?? '# The interface, line by line\n', {
		name: 'interface',
		heading: 'Rows',
		content,
	});
}

const headingOf = (number: string, title: string) => (number === '0' ? title : `${number} ${title}`);

const onPurpose = (rows: readonly InterfaceRow[]) => rows.filter(({ reason }) => reason !== undefined).length;

function tableWith(heading: string, rows: readonly InterfaceRow[], nodes: readonly Page[]): string {
	const cells = rows.map(({ item, where, test, reason }) => [
		itemCell(item),
		where.map((place) => linkTo(place, nodes)).join('<br>'),
		testCell(test),
		reason === undefined ? 'OK' : `On purpose: ${reason}`,
	]);
	return `### ${heading}\n\n${tableOf(['In the document', 'In the nodes', 'Test', 'State'], cells)}`;
}

function placesTable(nodes: readonly Page[]): string {
	return tableOf(
		['Section', 'What is open', 'What the nodes do', 'The other reading', 'Test'],
		places.map(({ section, what, taken, other, parameters, test }) => [
			section,
			what,
			taken,
			[other, ...parameters.map((place) => linkTo(place, nodes))].join('<br>'),
			testCell(test),
		]),
	);
}

/** Names are code; sentences are quoted. Markup of the document must not become that of the page. */
function itemCell(item: string): string {
	if (/^[\w/{}.-]+$/.test(item)) return `\`${item}\``;
	return item.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function testCell([file, title]: TestName): string {
	const name = TEST_FILES[file];
	return `[${path.basename(name, '.test.ts')}](../${name}): ${title.replaceAll('<', '&lt;')}`;
}
