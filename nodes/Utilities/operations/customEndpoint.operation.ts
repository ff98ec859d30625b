import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/failure/words';
import { textField } from '../../shared/fields/field';
import { SIMPLIFY } from '../../shared/fields/options';
import type { ItemOperation } from '../../shared/run/operation';
import { hasDotSegment, decodingsOf } from '../../shared/send/wiring';
import { fetchUtility } from '../fetchUtility';
import { readParameter } from '../parameter';
import {
	ENCODING as SHARED_ENCODING,
	encodingOptions,
	ENCODINGS,
	FILE_FIELD,
	LET_AGENT_FILL,
	LIST_TO_SPLIT_OUT,
	queryField,
	queryPairs,
	type QueryPairs,
	shownWith,
	SPLIT_OUT_LISTS,
	utilityOptions,
	withPairs,
} from '../fields';

const PREFIX = textField(
	'Prefix',
	'prefix',
	'Beginning of the path, after the utilities address of the credential',
	{ default: '/v2/apis/' },
);

const PATH = textField(
	'Path',
	'path',
	'Path of the endpoint after the prefix. A prefix that it repeats is not sent twice.',
	{ required: true, placeholder: 'e.g. weather/forecast' },
);

const QUERY_PARAMETERS = queryField(
	'Query Parameters',
	'queryParameters',
	'Parameters to send in the query of the URL',
);

const ENCODING: INodeProperties = {
	...SHARED_ENCODING,
	options: encodingOptions(ENCODINGS, [
		{ name: 'Not Set', value: '', description: 'Use the default of the gateway' },
	]),
	description: 'Format of the response. For other formats, add encoding to Query Parameters.',
};

/** Requests an endpoint that the catalogue does not have, only at the addresses of the credential. */
export const customEndpoint: ItemOperation = {
	value: 'getCustomEndpoint',
	name: 'Custom Endpoint',
	group: 'Other',
	action: 'Get data from custom endpoint',
	description: 'Get data from an endpoint of your gateway that is not in the list',
	fields: [
		LET_AGENT_FILL,
		PREFIX,
		PATH,
		QUERY_PARAMETERS,
		ENCODING,
		FILE_FIELD,
		shownWith({ [ENCODING.name]: ['', 'json'] }, SIMPLIFY),
		shownWith({ [ENCODING.name]: ['', 'json'], [SIMPLIFY.name]: [true] }, SPLIT_OUT_LISTS),
		...utilityOptions([LIST_TO_SPLIT_OUT]),
	],
	async run(call) {
		const entered = readParameter(call, PATH) ?? '';
		const { path, query } = resolveEnteredPath(entered, call.text(PREFIX));
		const pairs = queryPairs(call.value(QUERY_PARAMETERS), QUERY_PARAMETERS);
		const encoding = call.text(ENCODING);
		const fields: QueryPairs = encoding === '' ? [] : [[ENCODING.name, encoding]];
		return await fetchUtility(call, {
			path,
			query: withPairs(fields, [...query, ...pairs]),
			fileName: decodeURIComponent(path).replace(/^\/v2\/apis/, ''),
			parameters: [PREFIX, PATH, QUERY_PARAMETERS],
			mayBeWebPage: encoding === '' || encoding === 'html',
		});
	},
};

const EXAMPLE = 'Enter a path, for example /v2/apis/60s.';

/**
 * Reads the path that the user enters, below the address of the utilities. The request carries the key, so any path is
 * rejected that a program on the way could read as another destination. @returns the encoded path and the decoded query
 */
export function resolveEnteredPath(text: string, prefix = ''): { path: string; query: QueryPairs } {
	const [location, ...search] = text.trim().split('?');
	if (location === '') throw inputFailure(PATH, 'is empty', EXAMPLE);
	const query = [...new URLSearchParams(search.join('?'))];
	const path = joined(prefix.trim(), location);
	const problem = problemIn(location, path, query);
	if (problem) throw inputFailure(PATH, ...problem);
	return { path: new URL(path, 'https://gateway.example').pathname, query };
}

function joined(prefix: string, location: string): string {
	const start = withSlash(prefix).replace(/\/$/, '');
	const path = withSlash(location);
	return `${path}/`.startsWith(`${start}/`) ? path : start + path;
}

function withSlash(path: string): string {
	return path.startsWith('/') ? path : `/${path}`;
}

function problemIn(
	location: string,
	path: string,
	query: QueryPairs,
): [what: string, advice: string] | undefined {
	if (/^[a-z][a-z0-9+.-]*:/i.test(location)) {
		return [
			'is a whole URL',
			'The API key is sent only to the addresses in the credential. Enter just the path, or use an HTTP Request node without this credential.',
		];
	}
	if ([location, path].some((text) => /^\/?[^/]*@/.test(text))) {
		return [
			'has an "@" in its first segment',
			'In a URL, the name of another server follows it. An "@" that belongs to the path is written %40.',
		];
	}
	// URL parsers drop tabs and line breaks, and turn backslashes into slashes.
	if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\#?]/u.test(path)) {
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
	const decoded = uriDecoded(path);
	if (decoded === undefined) {
		return [
			'contains a percent sign that does not encode a character',
			'Enter each character as it is, or percent-encode it.',
		];
	}
	const name = unresolvedIn(decoded, query);
	if (name === undefined) return undefined;
	return [
		`contains {${name}}, which has no value`,
		`Replace {${name}} with its value. If it is an expression, switch the field from Fixed to Expression.`,
	];
}

/** Finds all spellings of a detour: plain, percent-encoded, and in look-alike characters. */
function hasDetour(path: string): boolean {
	const slashes = path.split('/').length;
	return decodingsOf(path).some(
		(spelling) =>
			hasDotSegment(spelling) ||
			spelling.includes('//') ||
			/\p{Cc}/u.test(spelling) ||
			spelling.split(/[/\\]/).length !== slashes,
	);
}

/** Decodes a text. Returns undefined if it has a percent sign that does not encode a character. */
function uriDecoded(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}

/** A placeholder such as `{id}`, or an expression that n8n has not resolved. */
const PLACEHOLDER = /\{{1,2}([^{}/]*)\}{1,2}/g;

/** Returns a placeholder that was not replaced by a value. In a query, braces with quotes or colons are JSON. */
function unresolvedIn(path: string, query: QueryPairs): string | undefined {
	const namesIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name]) => name.trim());
	const inQuery = query.flatMap(([, text]) => namesIn(text)).filter((name) => !/["':]/.test(name));
	return [...namesIn(path), ...inQuery].at(0);
}
