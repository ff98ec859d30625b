import type { Lexer as MarkedLexer, Token } from 'marked';
import { withoutAnyThoughts } from '../../shared/plain/thoughts';
import { withoutEnd } from '../../shared/plain/values';
import { GAP } from './plainText';

const LINE_ENDS = /\r\n|[\r\u0085\u2028\u2029]/g;
/**
 * Characters without a sound that would come between marks. Joiners, direction marks, and zero-width spaces stay,
 * because words of several scripts need them.
 */
const SILENT = /[^\P{Cc}\t\n]|[\u00AD\uFEFF\p{Cs}\p{Co}]/gu;

/** An address. Unlike in GitHub's Markdown it ends at the first character outside ASCII, as before Chinese text. */
const URL_PATTERN =
	/<(?:https?|ftp):\/\/[^<>\n]*>|(?:(?:https?|ftp):\/\/|(?<![\w.@/-])www\.)(?:[\w.~:/?#@!$&'*+,;=%-]|\([\w.~:/?#@!$&'*+,;=%-]*\))+/gi;
/** Marks after an address that belong to the sentence, or to Markdown. */
const AFTER_URL = ".,;:!?'*_~&";

/** Signs that Unicode counts as emoji, but that belong to the text. */
const SIGNS = '0-9#*©®™‼⁉';
/** Arrows and the "i" of information are read like text, unless a selector makes them pictures. */
const ARROWS = '\\u2139\\u2194-\\u2199\\u21A9\\u21AA\\u3297\\u3299';
const EMOJI = `(?:(?![${SIGNS}${ARROWS}])[\\p{Emoji}\\u{1FA00}-\\u{1FAFF}]|[${ARROWS}]\\uFE0F|[#*]\\uFE0F?\\u20E3)`;
/** Emoji side by side, with the joiners, selectors, and tags that belong to them. */
const EMOJI_RUN = new RegExp(
	`${EMOJI}(?:${EMOJI}|\\u200D|\\uFE0E|\\uFE0F|\\u20E3|[\\u{E0020}-\\u{E007F}])*`,
	'gu',
);
/** Digits in keycaps stay, and so do ©, ®, and ™. */
const SELECTORS = new RegExp(`(?<=[${SIGNS}])(?:\\uFE0F\\u20E3?|\\u20E3)`, 'gu');

/** Matches the sign before an item of a list. Some of these signs count as emoji. */
const BULLET = /^([ \t>]*)[•‣⁃◦▪▫●○■□◆◇▶►➤➢·]\uFE0F?[ \t]*/gm;

/** Turns marks that people and models write for screens into Markdown. */
const MARKDOWN: Array<[RegExp, string]> = [
	[/mailto:(?=[\w.%+-]+@)/gi, ''],
	// Lines with Chinese numbering become items of a list, and keep their numbers.
	[
		/^([ \t>]*)(?=\d{1,3}(?:\.\p{Script=Han}|[、．）])|[（(]\d{1,3}[)）]|[（(]?[一二三四五六七八九十]{1,3}[、)）])/gmu,
		'$1- ',
	],
	// The text of a footnote becomes an item of a list.
	[/^([ \t>]*)\[\^[^\]\n]+\]:[ \t]*/gm, '$1- '],
	[/^(#{2,6})(?=[\p{L}\p{N}])/gmu, '$1 '],
	// A bold line above a paragraph is a heading.
	[/(?<=^|\n\n)\*\*([^*\n]+)\*\*([:：]?)[ \t]*(?=\n|$)/g, '### $1$2'],
];

/** Turns any text into Markdown without URLs and emoji. Email addresses stay: listeners can write them down. */
export function markdownOf(text: string): string {
	const normal = withoutAnyThoughts(decodeEntities(text), GAP)
		.replace(LINE_ENDS, '\n')
		.replace(SILENT, '')
		.replaceAll('\u00A0', ' ')
		.trim();
	const plain = htmlToMarkdown(normal)
		.replace(URL_PATTERN, (url) => GAP + url.slice(withoutEnd(url, AFTER_URL).length))
		.replace(BULLET, '$1- ')
		.replace(EMOJI_RUN, GAP)
		.replace(SELECTORS, '');
	return MARKDOWN.reduce((before, [pattern, mark]) => before.replace(pattern, mark), plain);
}

const NAMED = namedCharacters(
	'amp=& lt=< gt=> quot=" apos=\' nbsp=\u00A0 ensp=\u2002 emsp=\u2003 thinsp=\u2009 shy=\u00AD zwnj=\u200C zwj=\u200D ' +
		'ndash=– mdash=— lsquo=‘ rsquo=’ sbquo=‚ ldquo=“ rdquo=” bdquo=„ lsaquo=‹ rsaquo=› laquo=« raquo=» hellip=… ' +
		'bull=• middot=· sect=§ copy=© reg=® trade=™ cent=¢ pound=£ yen=¥ euro=€ deg=° micro=µ frac12=½ times=× ' +
		'divide=÷ plusmn=± minus=− rarr=→ iexcl=¡ iquest=¿ szlig=ß aelig=æ AElig=Æ oslash=ø Oslash=Ø',
);
/** "eacute" is the letter e with an accent. */
const ACCENTED = /^([a-z])(grave|acute|circ|tilde|uml|ring|cedil)$/i;
const ACCENTS = namedCharacters(
	'grave=\u0300 acute=\u0301 circ=\u0302 tilde=\u0303 uml=\u0308 ring=\u030A cedil=\u0327',
);

function namedCharacters(list: string): Map<string, string> {
	return new Map(list.split(' ').map((entry): [string, string] => [entry.slice(0, -2), entry.slice(-1)]));
}

/** Feeds encode text more than once ("&amp;amp;"), so all levels are decoded together. */
const ENTITY = /&(?:(?:amp|#0*38|#x0*26);)*(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,9}));/gi;

/** Decodes HTML's entities, which marked leaves as they are. An unknown name stays unchanged. */
function decodeEntities(text: string): string {
	return text.replace(ENTITY, (entity, decimal?: string, hexadecimal?: string, name?: string) => {
		if (name !== undefined) return NAMED.get(name) ?? accented(name) ?? entity;
		const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
		return code <= 0x10ffff ? String.fromCodePoint(code) : '';
	});
}

function accented(name: string): string | undefined {
	const [, letter, accent] = ACCENTED.exec(name) ?? [];
	return letter && (letter + ACCENTS.get(accent.toLowerCase())).normalize('NFC');
}

/** Elements that are a paragraph. */
const PARAGRAPH =
	/^(?:address|article|aside|blockquote|body|caption|center|details|div|dl|fieldset|figcaption|figure|footer|form|head|header|hr|html|legend|main|nav|ol|option|p|pre|section|table|tbody|tfoot|thead|think|thinking|title|ul)$/;
const HEADING = /^(?:h[1-6]|summary)$/;
const ITEM = /^(?:li|tr|dt|dd)$/;
const CELL = /^t[dh]$/;

/** Inline code, or a tag with its attributes and the white space after it. */
const TAG = /`[^`\n]+`|<(\/?)([a-z][\w:-]*)((?:\s(?:"[^"<]*"|'[^'<]*'|[^<>"'])*)?)(\/?)>(\s*)/gi;
const ATTRIBUTE = /\s[\w:@.-]+=\S/;
const DECLARATION = /<[!?][a-z][^<>]*>|<!\[CDATA\[|\]\]>/gi;
/** Matches the invisible parts of a page: comments, scripts, and styles. Each ends before the next one begins. */
const HIDDEN = /(?<!`)(?:<!--(?:(?!<!--)[^])*?-->|<(script|style)(?:\s[^<>]*)?>(?:(?!<\1)[^])*?<\/\1\s*>)/gi;
const NEXT_CELL = /<\/t[dh]>\s*<t[dh](?:\s[^<>]*)?>\s*/gi;
const POWER = /<sup>([23])<\/sup>/gi;
const LINE_BREAK = /<br\s*\/?>\n?/gi;
const MARKDOWN_ROW = /^[ \t>]*\|.*$/gm;
const EMPTY_BULLET = /(\n- )\s+/g;

/**
 * Replaces the tags that structure a text with Markdown, and removes all others: marked does not read Markdown
 * inside HTML. "a < b" and "Vector<int>" are not tags.
 */
function htmlToMarkdown(text: string): string {
	if (!text.includes('<')) return text;
	const closed = new Set(Array.from(text.matchAll(/<\/([a-z][\w:-]*)/gi), ([, name]) => name.toLowerCase()));
	return text
		.replace(HIDDEN, GAP)
		.replace(DECLARATION, GAP)
		.replace(MARKDOWN_ROW, (row) => row.replace(LINE_BREAK, ', '))
		.replace(LINE_BREAK, '\n')
		.replace(NEXT_CELL, ', ')
		.replace(POWER, (_, power: string) => (power === '2' ? '²' : '³'))
		.replace(TAG, (whole, ...[slash, name, attributes, end, space]: string[]) => {
			if (!name) return whole;
			const element = name.toLowerCase();
			const mark = markOf(element, slash !== '');
			const isTag = slash || end || ATTRIBUTE.test(attributes) || mark !== undefined || closed.has(element);
			return isTag ? (mark ?? space) : whole;
		})
		.replace(EMPTY_BULLET, '$1');
}

function markOf(element: string, closes: boolean): string | undefined {
	if (element === 'img') return GAP;
	if (ITEM.test(element)) return closes ? '' : '\n- ';
	if (HEADING.test(element)) return closes ? '\n\n' : '\n\n# ';
	if (CELL.test(element)) return '';
	return PARAGRAPH.test(element) ? '\n\n' : undefined;
}

const FENCE = /^[ \t>]*(?:`{3,}[^`]*$|~{3})/;
/** marked takes quadratic time for some texts, so long ones are read in sections of about this many characters. */
const SECTION = 5000;
/** Long paragraphs are read in pieces. */
const PIECE = /[^]{1,3000}(?:[.!?]\s|[。！？]|$)|[^]{1,3000}/g;
/** A piece with more marks than this is read without them. */
const MAX_MARKS = 600;
const MARKS = /[*_~`[\]<]+/g;
/** marked reads nested quotes and lists recursively. Thousands of levels take minutes in a process with much memory. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){100}/m;

/** Returns the tokens of a Markdown text, in linear time. @throws RangeError for a text that is nested too deeply */
export function markdownTokens(markdown: string): Token[] {
	if (TOO_DEEP.test(markdown)) throw new RangeError('The text is nested too deep');
	const lexer = newLexer();
	for (const section of sectionsOf(markdown)) lexer.blockTokens(section, lexer.tokens);
	for (const { src, tokens } of lexer.inlineQueue) {
		for (const [piece] of src.matchAll(PIECE)) {
			const marks = piece.match(MARKS)?.length ?? 0;
			lexer.inlineTokens(marks > MAX_MARKS ? piece.replace(MARKS, '') : piece, tokens);
		}
	}
	return lexer.tokens;
}

/** Loads the library when it is used. At every start of n8n, it would take as long as an eighth of all nodes. */
function newLexer(): MarkedLexer {
	const { Lexer } = require('marked') as { Lexer: typeof MarkedLexer };
	return new Lexer({ gfm: true });
}

/** Cuts a long text at blank lines, or at other line ends if there are none, but not inside code. */
function sectionsOf(text: string): string[] {
	const sections: string[] = [];
	let lines: string[] = [];
	let length = 0;
	let isCode = false;
	for (const line of text.split('\n')) {
		if (FENCE.test(line)) isCode = !isCode;
		lines.push(line);
		length += line.length + 1;
		const limit = line === '' ? SECTION : 2 * SECTION;
		if (isCode || length < limit) continue;
		sections.push(lines.join('\n') + '\n\n');
		[lines, length] = [[], 0];
	}
	return [...sections, lines.join('\n')];
}
