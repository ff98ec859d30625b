import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { interfacePage, sections, withInterface } from '../../../tools/docs/interface/page';
import { places } from '../../../tools/docs/interface/places';
import { linkTo } from '../../../tools/docs/interface/resolve';
import { TEST_FILES, type TestName } from '../../../tools/docs/interface/row';
import { utilityRows } from '../../../tools/docs/interface/utilityRows';
import { pages, project } from '../../../tools/docs/pages';

/** The interface document, word for word. */
const document = readFileSync(path.join(project, 'test/fixtures/interface.txt'), 'utf8');

/** A line that says something: a row of a table, an entry of a list, or a sentence. */
interface Line {
	section: string;
	/** The first cell of a row of a table. */
	cell?: string;
	text: string;
}

/** The lines of the document without titles, heads of tables, and words that only announce the next line. */
function linesOf(text: string): Line[] {
	const lines: Line[] = [];
	let section = '0';
	const all = text.split('\n');
	for (const [index, line] of all.entries()) {
		const title = /^#{2,3} ([\d.]+?)\.? /.exec(line);
		if (title) section = title[1];
		const isHead = (all[index + 1] ?? '').startsWith('|---');
		if (line.trim() === '' || /^#|^\|---/.test(line) || isHead || /^\w+( \w+)?:$/.test(line)) continue;
		const cell = line.startsWith('|') ? line.split('|')[1].trim() : undefined;
		lines.push({ section, cell, text: line });
	}
	return lines;
}

const lines = linesOf(document);
const isUtility = ({ section, cell }: Line) => section === '4.13' && cell !== undefined;
const itemsOf = (section: string) =>
	sections.filter(({ number }) => number === section).flatMap(({ rows }) => rows.map(({ item }) => item));
const utilities = utilityRows();
const rows = [...sections.flatMap((entry) => entry.rows), ...utilities];

/** The titles of all tests of a file, and of their groups. */
function titlesIn(file: string): string[] {
	const source = readFileSync(path.join(project, file), 'utf8');
	return [...source.matchAll(/[(,]\s*(['"`])((?:\\.|(?!\1).)+)\1,\s*(?:async )?\(?/g)].map(([, , title]) =>
		title.replace(/\\(['"`])/g, '$1'),
	);
}

describe('Lines of the interface document', () => {
	it('are found', () => {
		expect(lines.length).toBe(189);
		expect(lines.filter(({ cell }) => cell !== undefined).length).toBe(125);
	});

	it.each(lines.filter((line) => !isUtility(line)))(
		'have a row: $section $text',
		({ section, cell, text }) => {
			const items = itemsOf(section);
			const covering = items.filter((item) => (cell === undefined ? text.includes(item) : item === cell));
			expect(covering).not.toEqual([]);
		},
	);

	it('have a row for each utility endpoint, and no row is for another one', () => {
		const paths = new Set(document.match(/\/v2\/apis\/[\w{}/-]+/g));
		expect(utilities.map(({ item }) => item).sort()).toEqual([...paths].sort());
	});
});

describe('Rows about the interface', () => {
	it.each(sections.flatMap(({ number, rows: own }) => own.map(({ item }) => ({ number, item }))))(
		'quote the document: $number $item',
		({ number, item }) => {
			const own = lines.filter(({ section }) => section === number);
			expect(own.filter(({ cell, text }) => cell === item || text.includes(item)).length).toBeGreaterThan(0);
		},
	);

	it('are as many as the document has parts', () => {
		expect(rows.length - utilities.length).toBeGreaterThanOrEqual(211);
		expect(utilities).toHaveLength(58);
	});

	it('have a reason if they differ from the document on purpose', () => {
		const reasons = rows.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
		expect(reasons.filter((reason) => !/^[A-Z].{20,}\.$/.test(reason))).toEqual([]);
	});

	it('say where they are in the nodes', () => {
		expect(rows.filter(({ where }) => where.length === 0)).toEqual([]);
	});

	const named: TestName[] = [...rows, ...places].map(({ test }) => test);
	it.each(Object.keys(TEST_FILES) as Array<keyof typeof TEST_FILES>)(
		'name tests of %s that exist',
		(file) => {
			const wanted = [...new Set(named.filter(([name]) => name === file).map(([, title]) => title))];
			expect(existsSync(path.join(project, TEST_FILES[file]))).toBe(true);
			expect(wanted).not.toEqual([]);
			const titles = titlesIn(TEST_FILES[file]);
			expect(wanted.filter((title) => !titles.includes(title))).toEqual([]);
		},
	);
});

describe('docs/interface.md', () => {
	it('has the current rows (npm run docs)', async () => {
		const text = readFileSync(interfacePage, 'utf8');
		expect((await withInterface(text)) === text).toBe(true);
	});

	it.each([
		['a node', 'Poetry › Create'],
		['an operation', 'Image › Paint'],
		['a parameter', 'Image › Generate › Brush'],
		['a parameter of another operation', 'Music › Get › Custom Mode'],
		['an output field', 'Image › Generate › {brush}'],
	])('cannot name %s that does not exist', async (_what, place) => {
		const all = await pages();
		expect(() => linkTo(place, all)).toThrow(place);
	});
});
