import { namesOfTags } from './html';

/** Lines of YAML or TOML between two rules at the beginning; a blank line or a name in capitals is rather a text. */
const FRONT_MATTER =
	/^(---|\+\+\+)[ \t]*\n(?:(?:[a-z][\w-]*[ \t]*[:=]|[ \t]+\S|-[ \t]|[#\]}]).*\n)+(?:\1|\.\.\.)[ \t]*(?:\n|$)/;
/** The first line of a fenced code block, also in a quotation or a list item, and the name of its language. */
const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})\s*([\w+-]*)/;
/** "Languages" of texts: a model often puts its whole answer into such a block. */
const TEXT_LANGUAGES = ['markdown', 'md', 'text', 'txt', 'plaintext'];
/** The lookbehind lets a run of backticks match only from its first one, which keeps hostile texts fast. */
const CODE_SPAN = /(?<!`)`+([^`\n]+)`+/g;

/**
 * A text without front matter and without fenced code blocks, except those that contain text. Inline code keeps its
 * text, and a tag in it its name. Indented lines stay, because they are rarely code.
 */
export function withoutCode(text: string): string {
	return withoutFences(text.replace(FRONT_MATTER, '').split('\n'))
		.join('\n')
		.replace(CODE_SPAN, (_, code: string) => namesOfTags(code));
}

function withoutFences(lines: string[]): string[] {
	const kept: string[] = [];
	/** By character: the length of a fence that nothing closes, so that nothing looks for its end again. */
	const unclosed: Record<string, number> = {};
	let end = -1;
	let isText = true;
	for (const [index, line] of lines.entries()) {
		const opening = index > end ? FENCE.exec(line) : undefined;
		if (opening) {
			const [, fence, language] = opening;
			const [mark] = fence;
			end = fence.length < (unclosed[mark] ?? Infinity) ? closingLine(lines, index, fence) : -1;
			// What follows a fence that nothing closes is not lost.
			if (end < 0) unclosed[mark] = fence.length;
			isText = TEXT_LANGUAGES.includes(language.toLowerCase());
		}
		const isContent = !opening && index !== end;
		kept.push(isContent && (isText || index > end) ? line : '');
	}
	return kept;
}

/** The line that closes a fence, or -1. */
function closingLine(lines: string[], start: number, fence: string): number {
	for (let index = start + 1; index < lines.length; index += 1) {
		const marks = lines[index].replace(/^[\s>]*/, '').trimEnd();
		if (marks.startsWith(fence) && marks === fence[0].repeat(marks.length)) return index;
	}
	return -1;
}
