import { inputFailure, type NamedParameter } from '../errors/errorMessages';
import { GatewayFailure } from '../errors/gatewayFailure';
import type { GatewayAddresses } from './addresses';
import type { Endpoint } from './endpoints';
import { filledPath, filledText, placeholdersIn, type PathValues } from './pathValues';

/** A URL below one of the credential's addresses. */
export interface OwnUrl {
	area: Endpoint['area'];
	/** Encoded path below the address, with a leading slash. */
	path: string;
	/** The query of the text, decoded. */
	query: Array<[string, string]>;
}

/** Why a text is rejected, and what to do about it. */
class Rejection extends Error {
	constructor(
		readonly what: string,
		readonly advice: string,
	) {
		super(what);
	}
}

/** What belongs to a text that the user enters. */
interface OwnParts {
	/** What comes before a bare path; it may be a whole URL itself. */
	prefix?: string;
	/** Values for the placeholders of the path, for example `{id}`. */
	values?: PathValues;
}

/**
 * Resolves the destination of a request that the user enters: a path, or a whole URL below one of the credential's
 * addresses. Such a request carries the key, so anything that a program on the way could read as another destination
 * is rejected. What the path repeats of the prefix, or of the address, is dropped.
 *
 * @param area which address a bare path belongs to
 * @param parameter where the text comes from
 * @throws GatewayFailure (kind `input`) that says what is wrong with the text, or with the value of a placeholder
 */
export function resolveOwnUrl(
	text: string,
	area: Endpoint['area'],
	addresses: GatewayAddresses,
	parameter: NamedParameter,
	{ prefix = '', values = new Map() }: OwnParts = {},
): OwnUrl {
	try {
		rejectHiddenCharacters(prefix + text);
		const { location, query } = withoutQuery(text.trim());
		const { pathname } = new URL(area === 'utilities' ? addresses.utilities : addresses.base);
		const below = locate(joined(prefix.trim(), location, pathname), area, addresses);
		rejectUnresolved(below.path, values);
		rejectDetours(below.path);
		const address = below.area === 'utilities' ? addresses.utilities : addresses.base;
		const path = filledPath(encodedPath(below.path, address), values);
		return { area: below.area, path, query: filledQuery(query, values) };
	} catch (error) {
		throw asFailure(error, parameter);
	}
}

function asFailure(error: unknown, parameter: NamedParameter): Error {
	if (error instanceof GatewayFailure) return error;
	if (error instanceof Rejection) return inputFailure(parameter, error.what, error.advice);
	return inputFailure(parameter, 'cannot be read', 'Enter a path, for example /v1/models.');
}

function withoutQuery(text: string): { location: string; query: OwnUrl['query'] } {
	if (text === '') throw new Rejection('is empty', 'Enter a path, for example /v1/models.');
	const mark = text.indexOf('?');
	if (mark < 0) return { location: text, query: [] };
	return { location: text.slice(0, mark), query: [...new URLSearchParams(text.slice(mark + 1))] };
}

const WHOLE_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i;

/**
 * A prefix and a path with one slash between them; further slashes are rejected together with other detours.
 *
 * @param root path of the address, which the path may repeat together with a bare prefix
 */
function joined(prefix: string, path: string, root: string): string {
	if (prefix === '' || WHOLE_URL.test(path)) return path;
	const start = prefix.replace(/\/$/, '');
	const before = WHOLE_URL.test(start) ? start.replace(WHOLE_URL, '') : `${root}/${start}`;
	return start + withoutRepeated(before, path);
}

/**
 * A path without what it repeats of the text before it: all of that text, or the end of it. The address
 * `https://gateway.example/api/v3` and the path `/v3/models` have `/v3` in common.
 *
 * @returns with a leading slash
 */
function withoutRepeated(before: string, path: string): string {
	const start = before.split('/').filter((segment) => segment !== '');
	const segments = path.replace(/^\//, '').split('/');
	for (let length = Math.min(start.length, segments.length); length > 0; length--) {
		const repeated = start.slice(-length);
		if (repeated.every((segment, index) => segment === segments[index])) {
			return `/${segments.slice(length).join('/')}`;
		}
	}
	return `/${segments.join('/')}`;
}

function locate(
	location: string,
	area: Endpoint['area'],
	addresses: GatewayAddresses,
): Pick<OwnUrl, 'area' | 'path'> {
	if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return belowOwnAddress(location, addresses);
	const { pathname } = new URL(area === 'utilities' ? addresses.utilities : addresses.base);
	return { area, path: withoutRepeated(pathname, location) };
}

/** A placeholder that is sent as it is asks for something that does not exist. */
function rejectUnresolved(path: string, values: PathValues): void {
	const name = placeholdersIn(path).find((placeholder) => !values.has(placeholder));
	if (name !== undefined) throw unresolved(name);
}

/** A query with the values of its placeholders. What has quotes or colons is JSON. */
function filledQuery(query: OwnUrl['query'], values: PathValues): OwnUrl['query'] {
	const names = query.flatMap(([, text]) => placeholdersIn(text));
	const missing = names.find((name) => !values.has(name) && !/["':]/.test(name));
	if (missing !== undefined) throw unresolved(missing);
	return query.map(([name, text]) => [name, filledText(text, values)]);
}

function unresolved(name: string): Rejection {
	return new Rejection(
		`contains {${name}}, which has no value`,
		`Replace {${name}} with its value. If it is an expression, switch the field from Fixed to Expression.`,
	);
}

/** The part of a whole URL after the credential's address. */
function belowOwnAddress(url: string, addresses: GatewayAddresses): Pick<OwnUrl, 'area' | 'path'> {
	const own: Array<[Endpoint['area'], string | undefined]> = [
		['main', addresses.base],
		['main', addresses.alternate],
		['utilities', addresses.utilities],
	];
	for (const [area, address] of own) {
		if (address && startsWithAddress(url, address)) return { area, path: url.slice(address.length) };
	}
	throw new Rejection(
		'does not start with an address of the credential',
		'The API key is sent only to the addresses in the credential. Enter just the path, for example /v1/models, or use an HTTP Request node without this credential.',
	);
}

/** Scheme and host are case-insensitive; the path of an address is not. */
function startsWithAddress(url: string, address: string): boolean {
	const { length } = new URL(address).origin;
	return (
		url.slice(0, length).toLowerCase() === address.slice(0, length).toLowerCase() &&
		url.slice(length).startsWith(`${address.slice(length)}/`)
	);
}

/** URL parsers drop tabs and line breaks, and turn backslashes into slashes. */
function rejectHiddenCharacters(text: string): void {
	if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) {
		throw new Rejection(
			'contains a tab, a line break, or another invisible character',
			'Enter it again by hand. If it comes from an expression, add .trim() to the expression.',
		);
	}
	if (text.includes('\\')) {
		throw new Rejection('contains a backslash', 'Use forward slashes, as in /v1/models.');
	}
	if (text.includes('#')) {
		throw new Rejection(
			'contains the character "#"',
			'Remove it and everything after it, or write the character as %23.',
		);
	}
}

/** Finds all spellings of a detour: plain, percent-encoded, and in look-alike characters. */
function rejectDetours(path: string): void {
	const decoded = decodedOnce(path);
	const plain = decoded.normalize('NFKC');
	for (const spelling of [path, decoded, plain]) {
		const segments = spelling.split('/').slice(1);
		// Some servers read "..;" as "..".
		if (segments.some((segment) => /^\.{1,2}(;|$)/.test(segment))) {
			throw new Rejection('contains a "." or ".." segment', 'Enter the path without such segments.');
		}
		if (segments.slice(0, -1).includes('')) {
			throw new Rejection('contains two slashes in a row', 'Use a single slash between two segments.');
		}
		if (/[@\\]/.test(spelling)) {
			throw new Rejection(
				'contains "@" or a backslash',
				'Remove this character, because such a path can lead to another host.',
			);
		}
	}
	if (countSegments(plain) !== countSegments(path)) {
		throw new Rejection('contains an encoded slash', 'Enter slashes unencoded, as in /v1/models.');
	}
	if (/[%\p{Cc}]/u.test(plain)) {
		throw new Rejection(
			'is encoded twice or contains an encoded control character',
			'Enter each character as it is, or percent-encode it once.',
		);
	}
}

function decodedOnce(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		throw malformed();
	}
}

function malformed(): Rejection {
	return new Rejection(
		'contains a percent sign that does not encode a character',
		'Enter each character as it is, or percent-encode it.',
	);
}

function countSegments(path: string): number {
	return path.split('/').length;
}

/**
 * The path as it is sent. The URL parser that also handles the request has the last word: if it finds another origin,
 * or a location outside the address, the rules above have a gap.
 */
function encodedPath(path: string, address: string): string {
	const own = new URL(address);
	const url = new URL(address + path);
	const root = own.pathname.replace(/\/$/, '');
	const stays =
		url.origin === own.origin &&
		url.username + url.password === '' &&
		url.pathname.startsWith(`${root}/`) &&
		countSegments(url.pathname) === countSegments(root + path);
	if (stays) return url.pathname.slice(root.length);
	throw new Rejection('leads outside the address of the credential', 'Enter a path, for example /v1/models.');
}
