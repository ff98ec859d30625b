import { inputFailure } from '../errors/errorMessages';
import type { GatewayAddresses } from './credential';
import type { Endpoint } from './endpoints';

/** A place below one of the credential's own addresses. */
export interface OwnPlace {
	area: Endpoint['area'];
	/** Encoded path below the address, beginning with a slash. */
	path: string;
	/** What stood behind a question mark. */
	query: Array<[string, string]>;
}

/** Why a text is no place for a request, and what to do about it. */
class Refusal extends Error {
	constructor(
		readonly what: string,
		readonly advice: string,
	) {
		super(what);
	}
}

/**
 * Reads where a request goes: a path, or a whole URL below one of the credential's addresses. The key goes
 * along, so whatever some program on the way might read as another place is refused.
 *
 * @param area which address a bare path belongs to
 * @param label what the editor calls the text
 * @throws GatewayFailure (kind `input`) that says what is wrong with the text
 */
export function ownPlace(
	text: string,
	area: Endpoint['area'],
	addresses: GatewayAddresses,
	label: string,
): OwnPlace {
	try {
		return readPlace(text, area, addresses);
	} catch (error) {
		throw asFailure(error, label);
	}
}

function asFailure(error: unknown, label: string): Error {
	if (error instanceof Refusal) return inputFailure(label, error.what, error.advice);
	return inputFailure(label, 'cannot be read', 'Enter a path such as /v1/models.');
}

function readPlace(text: string, area: Endpoint['area'], addresses: GatewayAddresses): OwnPlace {
	refuseHiddenCharacters(text);
	const trimmed = text.trim();
	if (trimmed === '') throw new Refusal('is empty', 'Enter a path such as /v1/models.');
	const mark = trimmed.indexOf('?');
	const place = mark < 0 ? trimmed : trimmed.slice(0, mark);
	const query = mark < 0 ? [] : [...new URLSearchParams(trimmed.slice(mark + 1))];
	const below = /^[a-z][a-z0-9+.-]*:/i.test(place)
		? belowOwnAddress(place, addresses)
		: { area, path: place.startsWith('/') ? place : `/${place}` };
	refuseDetours(below.path);
	const address = below.area === 'utilities' ? addresses.utilities : addresses.base;
	return { area: below.area, path: encodedPath(below.path, address), query };
}

/** The part of a whole URL behind the credential's address. */
function belowOwnAddress(url: string, addresses: GatewayAddresses): Pick<OwnPlace, 'area' | 'path'> {
	const own: Array<[Endpoint['area'], string | undefined]> = [
		['main', addresses.base],
		['main', addresses.alternate],
		['utilities', addresses.utilities],
	];
	for (const [area, address] of own) {
		if (address && startsWithAddress(url, address)) return { area, path: url.slice(address.length) };
	}
	throw new Refusal(
		'is not below an address of the credential',
		'The API key goes to the addresses in the credential only. Enter just the path, for example /v1/models, or use an HTTP Request node without this credential.',
	);
}

/** Scheme and host are the same in upper and lower case; the path of an address is not. */
function startsWithAddress(url: string, address: string): boolean {
	const { length } = new URL(address).origin;
	return (
		url.slice(0, length).toLowerCase() === address.slice(0, length).toLowerCase() &&
		url.slice(length).startsWith(`${address.slice(length)}/`)
	);
}

/** Tabs and line breaks vanish from URLs, and a backslash becomes a slash. */
function refuseHiddenCharacters(text: string): void {
	if (/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)) {
		throw new Refusal(
			'holds a tab, a line break or another character that cannot be seen',
			'Type it again. If it comes from an expression, add .trim() to the expression.',
		);
	}
	if (text.includes('\\')) throw new Refusal('holds a backslash', 'Write slashes, as in /v1/models.');
	if (text.includes('#')) {
		throw new Refusal('holds the character "#"', 'Leave out what follows it, or write the character as %23.');
	}
}

/** Finds every spelling of a step aside: as it is, percent-encoded, and in look-alike characters. */
function refuseDetours(path: string): void {
	const decoded = decodedOnce(path);
	const plain = decoded.normalize('NFKC');
	for (const spelling of [path, decoded, plain]) {
		const segments = spelling.split('/').slice(1);
		// "..;" is ".." to some servers.
		if (segments.some((segment) => /^\.{1,2}(;|$)/.test(segment))) {
			throw new Refusal('holds "." or ".." as a step', 'Write the path without detours.');
		}
		if (segments.slice(0, -1).includes('')) {
			throw new Refusal('holds two slashes side by side', 'Write one slash between two names.');
		}
		if (/[@\\]/.test(spelling)) {
			throw new Refusal('holds "@" or a backslash', 'Leave it out: such paths can lead to another host.');
		}
	}
	if (countSegments(plain) !== countSegments(path)) {
		throw new Refusal('holds an encoded slash', 'Write slashes as they are, as in /v1/models.');
	}
	if (/[%\p{Cc}]/u.test(plain)) {
		throw new Refusal(
			'is encoded twice or holds an encoded control character',
			'Write each character as it is, or percent-encode it once.',
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

function malformed(): Refusal {
	return new Refusal(
		'holds a percent sign that encodes nothing',
		'Write each character as it is, or percent-encode it.',
	);
}

function countSegments(path: string): number {
	return path.split('/').length;
}

/**
 * The path as it goes out. The reading of URLs that the request itself goes through has the last word: should it
 * find another origin or leave the address, the rules above have a gap.
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
	throw new Refusal('does not stay below the address of the credential', 'Enter a path such as /v1/models.');
}
