/** Makes Markdown tables. Pure. */

/** Returns a Markdown table whose cells may contain any text. */
export function tableOf(titles: string[], rows: string[][]): string {
	return [titles, titles.map(() => '---'), ...rows.map((cells) => cells.map(cellOf))]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/** Prepares a text for a cell: converts the editor's markup to Markdown, and escapes whatever would end the cell. */
function cellOf(text: string): string {
	return text
		.replaceAll(/<a [^<>]*href="([^"]*)"[^<>]*>([^<>]*)<\/a>/g, '[$2]($1)')
		.replaceAll(/<\/?code>/g, '`')
		.replaceAll(/(?<!\\)\|/g, '\\|')
		.replaceAll(/\s*\n\s*/g, ' ');
}
