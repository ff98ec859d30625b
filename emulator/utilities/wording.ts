import type { Dice } from './random';

/** Fills every `{low-high}` of a sentence with a number from that range. */
export function fillNumbers(sentence: string, dice: Dice): string {
	return sentence.replace(/\{(\d+)-(\d+)\}/g, (_, low: string, high: string) =>
		String(dice.integer(Number(low), Number(high))),
	);
}

/** The lines of a list, each with its number: `1. first`. */
export function numbered(lines: readonly string[]): string {
	return lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
}

/** A markdown table; every row has as many cells as there are headings. */
export function table(
	headings: readonly string[],
	rows: ReadonlyArray<ReadonlyArray<string | number>>,
): string {
	const line = (cells: ReadonlyArray<string | number>) => `| ${cells.join(' | ')} |`;
	return [line(headings), `|${headings.map(() => '------').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A text made safe for XML and HTML, in content and in attribute values. */
export function escapeMarkup(text: string): string {
	const entities: Record<string, string> = {
		'&': '&amp;',
		'<': '&lt;',
		'>': '&gt;',
		'"': '&quot;',
		"'": '&#39;',
	};
	return text.replace(/[&<>"']/g, (character) => entities[character]);
}

/** Two decimals, always shown: `7.5` is `7.50`. */
export function money(amount: number): string {
	return amount.toFixed(2);
}
