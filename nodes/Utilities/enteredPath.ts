import { inputFailure, type NamedParameter } from '../shared/errors/errorMessages';
import { hasDotSegment, pathSegment, spellingsOf } from '../shared/send/pathSegment';
import { filled, placeholdersIn, type PathValues } from './placeholders';

/** Where a request goes below the address of the utilities. */
export interface EnteredPath {
	/** Encoded, with a leading slash. */
	path: string;
	/** The query of the entered text, decoded. */
	query: Array<[string, string]>;
}

/** What belongs to a path that the user enters. */
interface PathParts {
	/** What comes before a bare path. */
	prefix?: string;
	/** Values for the placeholders, for example `{id}`. */
	values?: PathValues;
}

const EXAMPLE = 'Enter a path, for example /v2/apis/60s.';

/**
 * Resolves a path, or a whole URL below the address of the utilities, that the user enters. The request carries the key,
 * so whatever a program on the way could read as another destination is rejected. What the path repeats of the prefix,
 * or of the address, is dropped.
 *
 * @param address of the utilities
 * @param parameter where the text comes from
 * @throws GatewayFailure (kind `input`) that says what is wrong with the text, or with the value of a placeholder
 */
export function resolveEnteredPath(
	text: string,
	address: string,
	parameter: NamedParameter,
	{ prefix = '', values = new Map() }: PathParts = {},
): EnteredPath {
	const [location, ...search] = text.trim().split('?');
	if (location === '') throw inputFailure(parameter, 'is empty', EXAMPLE);
	const query = [...new URLSearchParams(search.join('?'))];
	const path = joined(prefix.trim(), location, address);
	const problem = problemIn(path, query, values);
	if (problem) throw inputFailure(parameter, ...problem);
	const below = new URL(address + path).pathname.slice(rootOf(address).length);
	return {
		path: filled(below, values, ({ parameter: source, text: value }) => pathSegment(source, value)),
		query: query.map(([name, value]) => [name, filled(value, values, (each) => each.text)]),
	};
}

/** The path of the address, without a slash at its end. */
function rootOf(address: string): string {
	return new URL(address).pathname.replace(/\/$/, '');
}

/** @returns the path below the address with a leading slash; undefined for a whole URL that is not below it */
function joined(prefix: string, location: string, address: string): string | undefined {
	if (/^[a-z][a-z0-9+.-]*:/i.test(location)) {
		const isBelow = `${location}/`.toLowerCase().startsWith(`${address}/`.toLowerCase());
		return isBelow ? location.slice(address.length) || '/' : undefined;
	}
	const root = rootOf(address);
	const start = withoutRepeated(root, prefix).replace(/\/$/, '');
	return start + withoutRepeated(start, withoutRepeated(root, location));
}

/** A path with a leading slash, and without the text before it if it repeats that. */
function withoutRepeated(before: string, path: string): string {
	const whole = path.startsWith('/') ? path : `/${path}`;
	return `${whole}/`.startsWith(`${before}/`) ? whole.slice(before.length) || '/' : whole;
}

function problemIn(
	path: string | undefined,
	query: EnteredPath['query'],
	values: PathValues,
): [what: string, advice: string] | undefined {
	if (path === undefined) {
		return [
			'is not below the address of the utilities in the credential',
			'The API key is sent only to the addresses in the credential. Enter just the path, or use an HTTP Request node without this credential.',
		];
	}
	// URL parsers drop tabs and line breaks, and turn backslashes into slashes.
	if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\#?]/u.test(path)) {
		return [
			'contains an invisible character, a backslash, or "#"',
			'Enter it again by hand, with slashes between the segments. A "#" that belongs to the path is written %23.',
		];
	}
	if (hasDetour(path)) {
		return [
			'contains a "." or ".." segment, two slashes in a row, or an encoded slash or control character',
			EXAMPLE,
		];
	}
	if (!isDecodable(path)) {
		return [
			'contains a percent sign that does not encode a character',
			'Enter each character as it is, or percent-encode it.',
		];
	}
	const name = unresolvedIn(path, query, values);
	if (name === undefined) return undefined;
	return [
		`contains {${name}}, which has no value`,
		`Replace {${name}} with its value. If it is an expression, switch the field from Fixed to Expression.`,
	];
}

/** Finds all spellings of a detour: plain, percent-encoded, and in look-alike characters. */
function hasDetour(path: string): boolean {
	const slashes = path.split('/').length;
	return spellingsOf(path).some(
		(spelling) =>
			hasDotSegment(spelling) ||
			spelling.includes('//') ||
			/\p{Cc}/u.test(spelling) ||
			spelling.split(/[/\\]/).length !== slashes,
	);
}

function isDecodable(path: string): boolean {
	try {
		return decodeURIComponent(path) !== '';
	} catch {
		return false;
	}
}

/** A placeholder that is sent as it is asks for something that does not exist. In a query, what has quotes or colons is JSON. */
function unresolvedIn(path: string, query: EnteredPath['query'], values: PathValues): string | undefined {
	const inQuery = query.flatMap(([, text]) => placeholdersIn(text)).filter((name) => !/["':]/.test(name));
	return [...placeholdersIn(path), ...inQuery].find((name) => !values.has(name));
}
