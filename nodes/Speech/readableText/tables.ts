import { withoutInlineMarks } from './emphasis';
import { endMarkFor } from './endMarks';

/** Consecutive lines of a table, and where it ends. */
export interface Table {
	rows: string[];
	/** Index of the first line after it. */
	end: number;
}

const DELIMITERS = /^[\s|:-]+$/;

/**
 * The table of GitHub's Markdown at a line, as sentences: "City: Beijing, Weather: sunny". Rows between pipes are a
 * table even without a line of hyphens; their cells have no names then.
 *
 * @param lineAt a line without the marks of a quotation or list; undefined after the last one
 */
export function tableAt(lineAt: (index: number) => string | undefined, start: number): Table | undefined {
	const first = lineAt(start) ?? '';
	const second = lineAt(start + 1) ?? '';
	if (!first.includes('|')) return undefined;
	const hasNames = isDelimiters(second) && !isDelimiters(first);
	if (!hasNames && !isFramed(first)) return undefined;
	const names = hasNames ? cellsOf(first) : [];
	const rows: string[] = [];
	let end = hasNames ? start + 2 : start;
	for (let line = lineAt(end); line !== undefined && isRow(line, hasNames); line = lineAt(end)) {
		if (!isDelimiters(line)) rows.push(rowText(cellsOf(line), names));
		end += 1;
	}
	return { rows: rows.length === 0 ? [rowText(names, [])] : rows, end };
}

function isDelimiters(line: string): boolean {
	return DELIMITERS.test(line) && line.includes('-') && line.includes('|');
}

function isFramed(line: string): boolean {
	return line.length > 1 && line.startsWith('|') && line.endsWith('|');
}

function isRow(line: string, hasNames: boolean): boolean {
	return hasNames ? line.includes('|') : isFramed(line);
}

function cellsOf(line: string): string[] {
	const inside = line.replace(/^\|/, '').replace(/(?<!\\)\|$/, '');
	return inside.split(/(?<!\\)\|/).map((cell) => withoutInlineMarks(cell).trim());
}

function rowText(cells: string[], names: string[]): string {
	const isChinese = endMarkFor(cells.join('') + names.join('')) === '。';
	const [colon, comma] = isChinese ? ['：', '，'] : [': ', ', '];
	return cells
		.map((cell, index) => {
			const name = withoutMark(names[index] ?? '');
			return name === '' || cell === '' ? cell : `${name}${colon}${cell}`;
		})
		.filter((cell) => cell !== '')
		.map((cell, index, all) => (index < all.length - 1 ? withoutMark(cell) : cell))
		.join(comma);
}

/** A mark at the end of a cell would stand next to the comma. */
function withoutMark(cell: string): string {
	return cell.replace(/[.,;:。，；：]$/, '');
}
