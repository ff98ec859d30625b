import { inputFailure, type NamedParameter } from '../errors/errorMessages';

/** A value for a placeholder of a path, and the parameter that it comes from. */
export interface PathValue {
	parameter: NamedParameter;
	text: string;
}

/** Values by the name of their placeholder. */
export type PathValues = ReadonlyMap<string, PathValue>;

/** A placeholder such as `{id}`, also percent-encoded, or an expression that n8n has not resolved. */
const PLACEHOLDER = /(?:\{|%7B){1,2}((?:(?!%7[BD])[^{}/])*)(?:\}|%7D){1,2}/gi;

/** The names of the placeholders in a path, in order. */
export function placeholdersIn(path: string): string[] {
	return [...path.matchAll(PLACEHOLDER)].map(([, name]) => nameOf(name));
}

/**
 * A path with a value in place of each placeholder, as one encoded segment or a part of one.
 *
 * @param path whose placeholders all have a value
 * @throws GatewayFailure (kind `input`) for a value that cannot be part of a path
 */
export function filledPath(path: string, values: PathValues): string {
	return path.replace(PLACEHOLDER, (placeholder, name: string) => {
		const value = values.get(nameOf(name));
		return value === undefined ? placeholder : encodedSegment(value);
	});
}

/** A text that is no path, with a value in place of each placeholder that has one. */
export function filledText(text: string, values: PathValues): string {
	return text.replace(
		PLACEHOLDER,
		(placeholder, name: string) => values.get(nameOf(name))?.text ?? placeholder,
	);
}

function nameOf(text: string): string {
	try {
		return decodeURIComponent(text).trim();
	} catch {
		return text;
	}
}

/**
 * Any text as a segment of a path. Rejected is only what a program on the way could read as another path: "." and "..",
 * also encoded, in look-alike characters, or between slashes.
 */
function encodedSegment({ parameter, text }: PathValue): string {
	if (!text.isWellFormed()) {
		throw inputFailure(
			parameter,
			`contains half a character: "${text.toWellFormed().slice(0, 40)}"`,
			'Such texts come from cutting a text in the middle of a character. Enter the value again.',
		);
	}
	if (!spellingsOf(text).some(hasDotSegment)) return encodeURIComponent(text);
	throw inputFailure(
		parameter,
		`is "${text.slice(0, 40)}", but a "." or ".." segment cannot be part of a path`,
		'Select it from the list, or enter it as the gateway shows it.',
	);
}

/** How often a text may be encoded before nobody decodes it that often. */
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

/** Whether a path has a segment "." or "..". Some servers read "..;" as "..", and URL parsers drop line breaks and tabs. */
export function hasDotSegment(text: string): boolean {
	const segments = text.replace(/[\p{Cc}\p{Cf}\s]/gu, '').split(/[/\\]/);
	return segments.some((segment) => /^\.{1,2}(;|$)/.test(segment));
}
