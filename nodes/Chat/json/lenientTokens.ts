/** Matches what JSON consists of, and what models write instead. */

/** The characters that end a string, by the one that begins it. */
export const QUOTES: Record<string, string> = {
	'"': '"',
	"'": "'",
	'“': '”',
	'„': '“”',
	'‘': '’',
	'＂': '＂',
};

/** The brackets of JSON, by those that models write; also full-width ones. */
export const OPENING: Record<string, '{' | '['> = { '{': '{', '[': '[', '｛': '{', '［': '[' };
export const CLOSING: Record<string, '}' | ']'> = { '}': '}', ']': ']', '｝': '}', '］': ']' };
export const LITERALS: Record<string, string> = { True: 'true', False: 'false', None: 'null' };

/** Space between tokens, with the byte-order mark and the other invisible characters of Unicode. */
export const SPACES = /[\s\u200B]+/y;
/** A literal of JSON or Python, and not the beginning of another word. */
export const LITERAL = /(?:true|false|null|True|False|None)(?![\p{L}\p{N}_$])/uy;
export const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
export const NAME = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
/** Part of a string that stays as it is in each kind of quotation marks. */
export const PLAIN = /[^"'“”„‘’＂\\\p{Cc}]{1,10000}/uy;
export const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
/** Escapes of JavaScript and Python with only one possible meaning, as small models write them (earendil-works/pi#1042). */
export const OTHER_ESCAPE = /\\(?:'|x([\da-fA-F]{2}))/y;
/** A comment that stands for values which the model left out. */
export const ELLIPSIS = /\.\.\.|…/;

/** The comment that begins at this index, or an empty text. One without an end goes on to the end of the text. */
export function commentAt(text: string, at: number): string {
	const isBlock = text.startsWith('/*', at);
	if (!isBlock && text.charAt(at) !== '#' && !text.startsWith('//', at)) return '';
	const end = isBlock ? text.indexOf('*/', at + 2) : text.indexOf('\n', at);
	if (end < 0) return text.slice(at);
	return text.slice(at, isBlock ? end + 2 : end);
}

/** A character as JSON writes it inside a string. */
export function quoted(character: string): string {
	return JSON.stringify(character).slice(1, -1);
}
