import type { Dice } from './random';

/** Replaces every `{low-high}` in a sentence with a number from that range. */
export function fillNumbers(sentence: string, dice: Dice): string {
	return sentence.replace(/\{(\d+)-(\d+)\}/g, (_, low: string, high: string) =>
		String(dice.integer(Number(low), Number(high))),
	);
}

/** The lines of a numbered list: `1. first`. */
export function numbered(lines: readonly string[]): string {
	return lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
}

/** A markdown table; every row must have one cell per heading. */
export function table(
	headings: readonly string[],
	rows: ReadonlyArray<ReadonlyArray<string | number>>,
): string {
	const line = (cells: ReadonlyArray<string | number>) => `| ${cells.join(' | ')} |`;
	return [line(headings), `|${headings.map(() => '------').join('|')}|`, ...rows.map(line)].join('\n');
}

/** Escapes a text for the content and the attribute values of XML and HTML. */
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

/** An amount with two decimals: `7.5` becomes `7.50`. */
export function money(amount: number): string {
	return amount.toFixed(2);
}
