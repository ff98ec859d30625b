import { inputFailure, type NamedParameter } from '../failure/words';

/** Any text as a segment of a path. Rejected is what a program on the way could read as "." or "..", also encoded. */
export function pathSegment(parameter: NamedParameter, text: string): string {
	if (!spellingsOf(text).some(hasDotSegment)) return encodeURIComponent(text.toWellFormed());
	throw inputFailure(
		parameter,
		`is "${text.slice(0, 40)}", but a "." or ".." segment cannot be part of a path`,
		'Select it from the list, or enter it as the gateway shows it.',
	);
}

/** The number of times that a text may be encoded before nobody decodes it that often. */
const ENCODINGS = 4;

/** A text, and what it means to programs that decode it once or several times. */
export function spellingsOf(text: string): string[] {
	const spellings = [text];
	for (let times = 0; times < ENCODINGS; times++) spellings.push(decoded(spellings[times]));
	return spellings;
}

/** Decodes the characters of ASCII only, because no other sequence can be a dot or a slash. */
function decoded(text: string): string {
	return text
		.normalize('NFKC')
		.replace(/%([0-7][0-9a-f])/gi, (_encoded, code: string) => String.fromCharCode(parseInt(code, 16)));
}

/** Tells whether a path has a segment "." or "..". Some servers read "..;" as "..", and URL parsers drop line breaks and tabs. */
export function hasDotSegment(text: string): boolean {
	const segments = text.replace(/[\p{Cc}\p{Cf}\s]/gu, '').split(/[/\\]/);
	return segments.some((segment) => /^\.{1,2}(;|$)/.test(segment));
}
