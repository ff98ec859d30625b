import type { Random } from './random';

/** How a model writes JSON. What is missing is as in JSON. */
export interface Style {
	/** The quotation marks of strings and names. */
	quotes?: [opening: string, closing: string];
	/** The content of a string in these quotation marks. */
	content?: (text: string) => string;
	/** A name; without it, names are strings. */
	name?: (name: string) => string;
	literals?: Record<string, string>;
	/** What follows an entry of an object or list, in front of the line break. */
	separator?: (isLast: boolean, isList: boolean) => string;
	colon?: string;
	/** What stands at the beginning of each line. */
	indent?: string;
}

/** Writes a value in the given style, one entry a line. */
export function print(value: unknown, style: Style, depth = 0): string {
	const [opening, closing] = style.quotes ?? ['"', '"'];
	const content = style.content ?? escaped;
	const string = (text: string) => `${opening}${content(text)}${closing}`;
	if (typeof value === 'string') return string(value);
	if (typeof value !== 'object' || value === null) {
		const literal = JSON.stringify(value);
		return style.literals?.[literal] ?? literal;
	}
	const entries = Array.isArray(value)
		? value.map((entry) => print(entry, style, depth + 1))
		: Object.entries(value).map(
				([name, entry]) =>
					`${style.name?.(name) ?? string(name)}${style.colon ?? ':'} ${print(entry, style, depth + 1)}`,
			);
	const [begin, end] = Array.isArray(value) ? '[]' : '{}';
	if (entries.length === 0) return begin + end;
	const separator = style.separator ?? ((isLast) => (isLast ? '' : ','));
	const indent = style.indent ?? '  ';
	const lines = entries.map(
		(entry, index) =>
			`${indent.repeat(depth + 1)}${entry}${separator(index === entries.length - 1, Array.isArray(value))}`,
	);
	return [begin, ...lines, indent.repeat(depth) + end].join('\n');
}

/** The content of a JSON string. */
export const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** The content of a string in single quotation marks, as JavaScript and Python write it. */
export const singleQuoted = (text: string) => escapedExcept(text, { '"': '"', "'": "\\'" });

/** The content of a string in typographic quotation marks. */
export const typographic = (text: string) => escapedExcept(text, { '"': '"' });

/** The content of a JSON string whose line breaks and tabs were not escaped. */
export const rawBreaks = (text: string) => escapedExcept(text, { '\n': '\n', '\t': '\t' });

function escapedExcept(text: string, exceptions: Record<string, string>): string {
	return Array.from(text, (character) => exceptions[character] ?? escaped(character)).join('');
}

/** A comma after each entry but the last, followed by a comment on some lines. */
export function commented(random: Random): (isLast: boolean) => string {
	const comments = [
		'// from the order',
		'/* see "note", {a} */',
		"# the customer's words",
		'//',
		'/* [1, 2 */',
	];
	return (isLast) => `${isLast ? '' : ','}${random.chance() ? ` ${random.pick(comments)}` : ''}`;
}
