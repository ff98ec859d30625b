import type { NamedParameter } from '../shared/errors/errorMessages';

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
 * A text with a value in place of each placeholder that has one.
 *
 * @param write writes a value into the text
 */
export function filled(text: string, values: PathValues, write: (value: PathValue) => string): string {
	return text.replace(PLACEHOLDER, (placeholder, name: string) => {
		const value = values.get(nameOf(name));
		return value === undefined ? placeholder : write(value);
	});
}

function nameOf(text: string): string {
	try {
		return decodeURIComponent(text).trim();
	} catch {
		return text;
	}
}
