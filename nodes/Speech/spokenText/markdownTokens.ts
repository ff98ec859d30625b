import type { Lexer as MarkedLexer, Token } from 'marked';

const FENCE = /^[ \t>]*(?:`{3,}[^`]*$|~{3})/;
/** marked takes quadratic time for some texts, so it gets long ones in sections of about this length, */
const SECTION = 5000;
const LONGEST_CODE = 50_000;
/** long paragraphs in pieces, */
const PIECE = /[^]{1,3000}(?:[.!?]\s|[。！？]|$)|[^]{1,3000}/g;
/** and a piece with more marks without them. */
const MAX_MARKS = 600;
const MARKS = /[*_~`[\]<]+/g;
/** It reads nested quotes and lists by recursion, of which thousands take minutes in a process with much memory. */
const TOO_DEEP = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){100}/m;

/** The tokens of a Markdown text, in linear time. @throws RangeError for a text that is nested too deep */
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

/** The library is loaded when it is used, because that takes as long as an eighth of all nodes, at every start of n8n. */
function newLexer(): MarkedLexer {
	const { Lexer } = require('marked') as { Lexer: typeof MarkedLexer };
	return new Lexer({ gfm: true });
}

/** Cuts a long text at blank lines, or at others if there is none, but not in code. */
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
		if (length < (isCode ? LONGEST_CODE : limit)) continue;
		sections.push(lines.join('\n') + '\n\n');
		[lines, length] = [[], 0];
	}
	return [...sections, lines.join('\n')];
}
