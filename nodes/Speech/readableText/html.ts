import { GAP } from './gaps';

/** Elements that are tags even without an attribute: of HTML and SSML, and of the thoughts of a model. */
const ELEMENTS = new Set(
	(
		'a abbr address article aside audio b bdi bdo big blockquote body br button caption center cite code col ' +
		'colgroup data dd del details dfn div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 ' +
		'head header hr html i iframe img input ins kbd label legend li link main mark meta nav noscript object ol ' +
		'option p picture pre q rp rt ruby s samp script section select small source span strike strong style sub ' +
		'summary sup svg table tbody td template textarea tfoot th thead think thinking time title tr track tt u ul ' +
		'var video wbr break emphasis phoneme prosody say-as speak voice'
	).split(' '),
);
/** Elements that are a paragraph. */
const PARAGRAPHS = new Set(
	(
		'address article aside blockquote body caption center details div dl fieldset figcaption figure footer form ' +
		'header hr html legend main nav ol option p pre section table tbody tfoot thead think thinking ' +
		'title ul'
	).split(' '),
);
const ITEMS = ['li', 'tr', 'dt', 'dd'];
const WITHOUT_SPACE = [...ITEMS, 'td', 'th'];

/** The lookahead keeps a name in one piece, so that a tag that does not end takes no more than linear time. */
const TAG = /<(\/?)([a-z][\w:-]*)(?![\w:-])([^<>]*)>(\s*)/gi;
const ATTRIBUTE = /(?<![\w:@.-])[\w:@.-]+\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=`]+)/g;
const BOOLEAN_ATTRIBUTE =
	/\b(?:allowfullscreen|async|autoplay|checked|controls|defer|disabled|hidden|itemscope|loop|muted|open|reversed|selected)\b/gi;
const DECLARATION = /<[!?][a-z][^<>]*>|<!\[CDATA\[|\]\]>/gi;
/** What nobody sees on a page: comments, scripts, styles, and the thoughts of a model. */
const HIDDEN = /<!--|<(script|style|think|thinking)(?:\s[^<>]*)?>/gi;
const NEXT_CELL = /<\/t[dh]>\s*<t[dh](?:\s[^<>]*)?>\s*/gi;
const PARAGRAPH_IN_ITEM = /(<li(?:\s[^<>]*)?>)\s*<p(?:\s[^<>]*)?>/gi;
const POWER = /<sup>([23])<\/sup>/gi;
const MARKDOWN_ROW = /^[ \t>]*\|.*$/gm;
const LINE_BREAK = /(?<!\s)\s*<br\s*\/?>\s*/gi;

/**
 * A text with Markdown in place of the tags that structure it, and without all others. "a < b" and "Vector<int>" are
 * no tags.
 */
export function htmlToMarkdown(text: string): string {
	if (!text.includes('<')) return text;
	return withoutHidden(text)
		.replace(DECLARATION, GAP)
		.replace(MARKDOWN_ROW, (row) => row.replace(LINE_BREAK, ', '))
		.replace(NEXT_CELL, ', ')
		.replace(PARAGRAPH_IN_ITEM, '$1')
		.replace(POWER, (_, power: string) => (power === '2' ? '²' : '³'))
		.replace(TAG, (tag, slash: string, name: string, rest: string, space: string) => {
			if (!isTag(slash, name, rest)) return tag;
			const element = name.toLowerCase();
			return markdownFor(element, slash !== '') + spaceAfter(element, space);
		});
}

/** Inline code with the names of its tags in place of the tags. */
export function namesOfTags(code: string): string {
	return code.replace(TAG, (...[, , name, , space]: string[]) => name + space);
}

function isTag(slash: string, name: string, rest: string): boolean {
	const unknown = rest.replace(ATTRIBUTE, '').replace(BOOLEAN_ATTRIBUTE, '');
	if (/[^\s/]/.test(unknown)) return false;
	return ELEMENTS.has(name.toLowerCase()) || slash !== '' || /[=/]/.test(rest);
}

/** White space in tables and lists means nothing, and neither does a line end after a line break. */
function spaceAfter(element: string, space: string): string {
	if (element === 'br') return space.replace('\n', '');
	return WITHOUT_SPACE.includes(element) ? '' : space;
}

function markdownFor(name: string, closes: boolean): string {
	if (name === 'br') return '\n';
	if (name === 'img') return GAP;
	if (ITEMS.includes(name)) return closes ? '' : '\n- ';
	if (/^h[1-6]$|^summary$/.test(name)) return closes ? '\n\n' : '\n\n# ';
	return PARAGRAPHS.has(name) ? '\n\n' : '';
}

function withoutHidden(text: string): string {
	const kept: string[] = [];
	const unclosed = new Set<string>();
	let position = 0;
	for (const { 0: opening, 1: name = '', index } of text.matchAll(HIDDEN)) {
		if (index < position || unclosed.has(name)) continue;
		const closing = new RegExp(name === '' ? '-->' : `</${name}\\s*>`, 'gi');
		closing.lastIndex = index + opening.length;
		if (closing.test(text)) {
			kept.push(text.slice(position, index), GAP);
			position = closing.lastIndex;
		} else {
			unclosed.add(name);
		}
	}
	return kept.join('') + text.slice(position);
}
