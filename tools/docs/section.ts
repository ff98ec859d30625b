/**
 * A page with the part between two marks replaced, as `npm run docs` writes it; the text around it is kept.
 *
 * @param name the name in the marks, for example `parameters`
 * @param content in Markdown
 * @throws Error when one of the two marks is missing or they are in the wrong order
 */
export function withSection(text: string, name: string, content: string): string {
	const [begin, end] = marksOf(name);
	const [from, to] = [text.indexOf(begin), text.indexOf(end)];
	if (from < 0 || to < from) throw new Error(`One of the marks around "${name}" is missing.`);
	return `${text.slice(0, from)}${begin}\n\n${content}\n\n${text.slice(to)}`;
}

/** Returns a part without content, for a new page. */
export function emptySection(name: string): string {
	return marksOf(name).join('\n');
}

/** Returns the marks around a part. The inner marks keep Prettier from formatting it. */
function marksOf(name: string): [begin: string, end: string] {
	return [
		`<!-- ${name}: written by \`npm run docs\` from the source -->\n<!-- prettier-ignore-start -->`,
		`<!-- prettier-ignore-end -->\n<!-- end of ${name} -->`,
	];
}
