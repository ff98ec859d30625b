/** A part of a page that `npm run docs` writes; the text around it is kept. */
export interface Section {
	/** Name in the marks around the part, e.g. `parameters`. */
	name: string;
	/** The title for a page that has no such part yet. */
	heading: string;
	/** Markdown. */
	content: string;
}

/**
 * A page with a part replaced, or added at the end if there is none.
 *
 * @throws Error when one of the two marks around the part is missing or they are in the wrong order
 */
export function withSection(text: string, { name, heading, content }: Section): string {
	// The inner marks keep Prettier from formatting the part.
	const begin = `<!-- ${name}: written by \`npm run docs\` from the source -->\n<!-- prettier-ignore-start -->`;
	const end = `<!-- prettier-ignore-end -->\n<!-- end of ${name} -->`;
	const written = `${begin}\n\n${content}\n\n${end}`;
	const [from, to] = [text.indexOf(begin), text.indexOf(end)];
	if (from < 0 && to < 0) return `${text.trimEnd()}\n\n## ${heading}\n\n${written}\n`;
	if (from < 0 || to < from) throw new Error(`One of the marks around "${name}" is missing.`);
	return text.slice(0, from) + written + text.slice(to + end.length);
}
