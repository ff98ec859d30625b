import { endMarkFor, withEndMark } from './endMarks';

/** A row of a table as a sentence: "City: Rome, Sky: clear." Empty cells are left out. */
export function spokenRow(cells: string[], names: string[]): string {
	const isChinese = endMarkFor(cells.join('') + names.join('')) === '。';
	const [colon, comma] = isChinese ? ['：', '，'] : [': ', ', '];
	const named = cells.map((cell, index) => {
		const name = withoutMark(names[index] ?? '');
		return isEmpty(name) || isEmpty(cell) ? cell : name + colon + cell;
	});
	const filled = named.filter((cell) => !isEmpty(cell)).map((cell) => cell.trim().replaceAll('\n', comma));
	const sentence = filled.map((cell, index) => (index < filled.length - 1 ? withoutMark(cell) : cell));
	return withEndMark(sentence.join(comma));
}

/** A mark at the end of a cell would stand next to the comma. */
function withoutMark(cell: string): string {
	return cell.replace(/[.,;:。，；：]$/, '');
}

function isEmpty(cell: string): boolean {
	return /^[\s:-]*$/.test(cell);
}
