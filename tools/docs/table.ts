/** Markdown tables; pure. */

/** A table whose cells may hold any text. */
export function tableOf(titles: string[], rows: string[][]): string {
	return [titles, titles.map(() => '---'), ...rows.map((cells) => cells.map(cellOf))]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

/** A text for a cell: the editor's markup becomes Markdown, and nothing in it ends the cell. */
function cellOf(text: string): string {
	return text
		.replaceAll(/<a [^<>]*href="([^"]*)"[^<>]*>([^<>]*)<\/a>/g, '[$2]($1)')
		.replaceAll(/<\/?code>/g, '`')
		.replaceAll(/(?<!\\)\|/g, '\\|')
		.replaceAll(/\s*\n\s*/g, ' ');
}
