import { GAP } from './plainText';

/** Characters by the names of their entities. */
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

/** Feeds encode text more than once, "&amp;amp;": all of it is decoded at once. */
const ENTITY = /&(?:(?:amp|#0*38|#x0*26);)*(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,9}));/gi;

/** A text with characters in place of HTML's entities, which marked leaves; an unknown name stays as it is. */
export function decodeEntities(text: string): string {
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

/** Inline code, or a tag with what it contains and the white space after it. */
const TAG = /`[^`\n]+`|<(\/?)([a-z][\w:-]*)((?:\s(?:"[^"<]*"|'[^'<]*'|[^<>"'])*)?)(\/?)>(\s*)/gi;
const ATTRIBUTE = /\s[\w:@.-]+=\S/;
const DECLARATION = /<[!?][a-z][^<>]*>|<!\[CDATA\[|\]\]>/gi;
/** Matches what nobody sees on a page: comments, scripts, and styles. Each ends before the next one. */
const HIDDEN = /(?<!`)(?:<!--(?:(?!<!--)[^])*?-->|<(script|style)(?:\s[^<>]*)?>(?:(?!<\1)[^])*?<\/\1\s*>)/gi;
const NEXT_CELL = /<\/t[dh]>\s*<t[dh](?:\s[^<>]*)?>\s*/gi;
const POWER = /<sup>([23])<\/sup>/gi;
const LINE_BREAK = /<br\s*\/?>\n?/gi;
const MARKDOWN_ROW = /^[ \t>]*\|.*$/gm;
const EMPTY_BULLET = /(\n- )\s+/g;

/**
 * A text with Markdown in place of the tags that structure it, and without all others: marked does not read Markdown
 * inside HTML. "a < b" and "Vector<int>" are no tags.
 */
export function htmlToMarkdown(text: string): string {
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

/** The Markdown of a tag that structures a text; undefined for any other. */
function markOf(element: string, closes: boolean): string | undefined {
	if (element === 'img') return GAP;
	if (ITEM.test(element)) return closes ? '' : '\n- ';
	if (HEADING.test(element)) return closes ? '\n\n' : '\n\n# ';
	if (CELL.test(element)) return '';
	return PARAGRAPH.test(element) ? '\n\n' : undefined;
}
