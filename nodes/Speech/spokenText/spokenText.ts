import type { MarkedToken, Token, Tokens } from 'marked';
import { withoutEnd } from '../../shared/plain/values';
import { markdownOf, markdownTokens } from './markdownOf';
import { GAP, plainText } from './plainText';

/** Languages of code blocks that contain text: a model often puts its whole answer into one. */
const TEXT_LANGUAGES = /^(?:markdown|md|text|txt|plaintext)\b/i;
/** Matches the address of a reference, unlike "[Anna]: Hello." in a dialogue. */
const ADDRESS = /^[\uE000<#./]|^[a-z][\w+.-]*:\S|[\w-]\.[a-z]{2}/i;
const CITATION = /^(?:\[[1-9]\d{0,2}\]|[1-9]\d{0,2})$/;
const PARAGRAPH = '\n\n';

/** The deepest nesting of code blocks and indented lines. Anything deeper is read as plain text. */
const MAX_DEPTH = 3;

/**
 * Returns what a presenter would read aloud. Headings, list items, and the rows of tables end with a full stop of their
 * script, so that the voice pauses. @returns paragraphs; empty if the text has no letter and no digit. Never throws.
 */
export function spokenText(text: string): string {
	const markdown = markdownOf(text);
	const spoken = read(markdown)
		.replace(/\n{3,}/g, PARAGRAPH)
		.trim();
	return /[\p{L}\p{N}]/u.test(spoken) ? spoken : '';
}

/** Reads Markdown. A text that is nested too deeply for marked is read as plain text. */
function read(markdown: string, depth = 0): string {
	if (depth > MAX_DEPTH) return plainText(markdown);
	try {
		return blocks(markdownTokens(markdown), depth);
	} catch {
		return plainText(markdown);
	}
}

/** @param isItem whether each paragraph is an item of a list, which ends with a full stop */
function blocks(tokens: Token[], depth: number, isItem = false): string {
	return tokens.map((token) => block(token as MarkedToken, depth, isItem)).join('');
}

function block(token: MarkedToken, depth: number, isItem: boolean): string {
	switch (token.type) {
		case 'space':
		case 'hr':
			return PARAGRAPH;
		case 'checkbox':
			return '';
		case 'heading':
			return PARAGRAPH + withEndMark(line(token.tokens)) + PARAGRAPH;
		case 'code':
			return PARAGRAPH + (isText(token) ? read(token.text, depth + 1) : '') + PARAGRAPH;
		case 'blockquote':
			return blocks(token.tokens, depth, isItem);
		case 'list':
			return list(token, depth);
		case 'table':
			return PARAGRAPH + table(token) + PARAGRAPH;
		case 'def':
			return ADDRESS.test(token.href) ? '' : `\n${plainText(token.raw)}`;
		case 'paragraph':
		case 'text':
			return paragraph(line(token.tokens ?? [token]), isItem);
		default:
			return paragraph(plainText(token.raw), isItem);
	}
}

function paragraph(text: string, isItem: boolean): string {
	return `\n${isItem ? withEndMark(text) : text}`;
}

function list({ items }: Tokens.List, depth: number): string {
	const spoken = items.map(({ raw, tokens }) => {
		const [number = ''] = /^\s*\d+[.)]/.exec(raw) ?? [];
		const item = blocks(tokens, depth, true).trim();
		// "3." alone may be an answer, but a number whose picture or URL was removed is left out.
		if (item === '' && raw.trim() !== number.trim()) return '';
		return `${number} ${item}`.trim() + (/\n[ \t]*\n$/.test(raw) ? PARAGRAPH : '\n');
	});
	return `\n${spoken.join('')}`.trimEnd();
}

function table({ header, rows }: Tokens.Table): string {
	const textOf = ({ tokens }: Tokens.TableCell) => line(tokens);
	const names = header.map(textOf);
	if (rows.length === 0) return spokenRow(names, []);
	const sentences = rows.map((row) => spokenRow(row.map(textOf), names));
	return sentences.filter((sentence) => sentence !== '').join('\n');
}

function line(tokens: Token[]): string {
	return plainText(inline(tokens));
}

function inline(tokens: Token[]): string {
	return tokens.map((token) => phrase(token as MarkedToken)).join('');
}

function phrase(token: MarkedToken): string {
	switch (token.type) {
		case 'br':
			return '\n';
		case 'image':
			return GAP;
		case 'link':
			return link(token);
		case 'strong':
		case 'em':
		case 'del': {
			// plainText removes the marks, except those of products ("2*3*4") and ranges ("5~6 days, 7~8 nights").
			const [mark = ''] = /^[*_~]+/.exec(token.raw) ?? [];
			return mark + inline(token.tokens) + mark;
		}
		case 'text':
		case 'codespan':
		case 'escape':
			return 'tokens' in token && token.tokens ? inline(token.tokens) : token.text;
		default:
			return token.raw;
	}
}

function link({ text, tokens, autolink = false }: Tokens.Link): string {
	const isAddress = autolink && text.includes('://');
	return isAddress || CITATION.test(text) ? GAP : inline(tokens);
}

/** Tells whether a code block is text: indented lines are rarely code, and a fence may lack its end. */
function isText({ raw, lang = '', codeBlockStyle }: Tokens.Code): boolean {
	const fence = /`{3,}|~{3,}/.exec(raw)?.[0] ?? '';
	return codeBlockStyle === 'indented' || TEXT_LANGUAGES.test(lang) || !raw.trimEnd().endsWith(fence);
}

/** Letters of scripts that write no spaces between words; each counts as a word. */
const IDEOGRAPHS = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}';
const WORDS = new RegExp(`[${IDEOGRAPHS}]|(?:(?![${IDEOGRAPHS}])[\\p{L}\\p{M}])+`, 'gu');

/** Scripts whose full stop is not ".", and those where a space ends a sentence. */
const SCRIPTS: Array<{ letter: RegExp; mark: string }> = [
	{ letter: new RegExp(`[${IDEOGRAPHS}]`, 'u'), mark: '。' },
	{ letter: /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Oriya}]/u, mark: '।' },
	{ letter: /[\p{Script=Thai}\p{Script=Lao}]/u, mark: '' },
	{ letter: /\p{Script=Khmer}/u, mark: '។' },
	{ letter: /\p{Script=Myanmar}/u, mark: '။' },
	{ letter: /\p{Script=Tibetan}/u, mark: '།' },
	{ letter: /\p{Script=Armenian}/u, mark: '։' },
	{ letter: /\p{Script=Ethiopic}/u, mark: '።' },
];
/** Letters that Urdu has and Arabic does not. */
const URDU = /[ٹڈڑںےہ]/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

const CLOSERS = '"\'”’)]}」』】》）〉›»';
/** Marks at which a voice pauses anyway. */
const PAUSES = '.!?…⋯:;,~。！？：；，、｡．～؟؛،۔।॥։፧።፣។៕၊။།༎—–';

/** Returns the full stop of the script of most words in a text; empty for a script without one. */
function endMarkFor(text: string): string {
	const counts = new Map<string, number>();
	let [mark, most] = ['.', 0];
	for (const [word] of text.matchAll(WORDS)) {
		const candidate = SCRIPTS.find(({ letter }) => letter.test(word))?.mark ?? '.';
		const count = (counts.get(candidate) ?? 0) + 1;
		counts.set(candidate, count);
		if (count > most || (count === most && mark === '.')) [mark, most] = [candidate, count];
	}
	return mark === '.' && URDU.test(text) ? '۔' : mark;
}

/** Adds a full stop to a text, unless it ends with another mark at which a voice pauses. */
function withEndMark(text: string): string {
	const last = withoutEnd(text, CLOSERS).at(-1) ?? '';
	return PAUSES.includes(last) || !LETTER_OR_DIGIT.test(text) ? text : text + endMarkFor(text);
}

/** Returns a row of a table as a sentence: "City: Rome, Sky: clear." Empty cells are left out. */
function spokenRow(cells: string[], names: string[]): string {
	const isChinese = endMarkFor(cells.join('') + names.join('')) === '。';
	const [colon, comma] = isChinese ? ['：', '，'] : [': ', ', '];
	const named = cells.map((cell, index) => {
		const name = withoutMark(names[index] ?? '');
		return isEmpty(name) || isEmpty(cell) ? cell : name + colon + cell;
	});
	const filled = named.filter((cell) => !isEmpty(cell)).map((cell) => cell.trim());
	const sentence = filled.map((cell, index) => (index < filled.length - 1 ? withoutMark(cell) : cell));
	return withEndMark(sentence.join(comma));
}

/** Removes a mark at the end of a cell, which would stand next to the comma. */
function withoutMark(cell: string): string {
	return cell.replace(/[.,;:。，；：]$/, '');
}

function isEmpty(cell: string): boolean {
	return /^[\s:-]*$/.test(cell);
}
