import { inputFailure } from '../shared/errors/errorMessages';
import { customEndpoint, utilityEndpoint, type Endpoint } from '../shared/gateway/endpoints';
import type { OwnUrl } from '../shared/gateway/ownUrl';
import type { Encoding, Utility } from './catalogue/utility';
import { ENCODING, type QueryPairs } from './fields';

/** A request to a utility endpoint. */
export interface UtilityRequest {
	endpoint: Endpoint;
	query: QueryPairs;
	/** The encoding that the query asks for, if any. */
	encoding: string | undefined;
}

/** The settings of one item for an endpoint of the catalogue. */
export interface UtilityInput {
	/** Texts by the parameter's key; a parameter that is not set is missing. */
	values: Map<string, string>;
	/** Undefined for an endpoint without encodings. */
	encoding: Encoding | undefined;
	/** Where this gateway has the endpoint, if it differs from the interface. */
	ownUrl: OwnUrl | undefined;
	/** Further query parameters, which override the endpoint's own. */
	extraQuery: QueryPairs;
}

/**
 * The request to an endpoint of the catalogue (interface, 4.13).
 *
 * @throws GatewayFailure (kind `input`) for a parameter that cannot be part of the path
 */
export function utilityRequest(utility: Utility, input: UtilityInput): UtilityRequest {
	const { values, ownUrl, extraQuery } = input;
	// Braces mark parameters; resolving the path has encoded them.
	let path = ownUrl ? ownUrl.path.replace(/%7B(\w+)%7D/g, '{$1}') : utility.path;
	const query: QueryPairs = ownUrl ? [...ownUrl.query] : [];
	for (const { key, label } of utility.parameters) {
		const text = values.get(key);
		if (text === undefined) continue;
		if (path.includes(`{${key}}`)) path = path.replace(`{${key}}`, pathSegment(label, text));
		else query.push([key, text]);
	}
	if (input.encoding) query.push([ENCODING.name, input.encoding]);
	return {
		endpoint: ownUrl ? customEndpoint('GET', path, ownUrl.area) : utilityEndpoint(path),
		query: overridden(query, extraQuery),
		encoding: encodingIn(extraQuery) ?? encodingIn(ownUrl?.query ?? []) ?? input.encoding,
	};
}

/**
 * The request to an endpoint that the catalogue does not have.
 *
 * @param ownUrl its location and the query of the entered URL
 * @param encoding empty to leave the choice to the gateway; an encoding among the query parameters overrides it
 */
export function customRequest(ownUrl: OwnUrl, pairs: QueryPairs, encoding: string): UtilityRequest {
	const endpoint = customEndpoint('GET', ownUrl.path, ownUrl.area);
	const query = [...ownUrl.query, ...pairs];
	const entered = encodingIn(query);
	if (entered !== undefined || encoding === '') return { endpoint, query, encoding: entered };
	return { endpoint, query: [...query, [ENCODING.name, encoding]], encoding };
}

/** The encoding among query parameters that the user has entered. */
function encodingIn(pairs: QueryPairs): string | undefined {
	return pairs.find(([name]) => name === ENCODING.name)?.[1];
}

/** A segment of the path. Only texts that cannot change the rest of the path are allowed. */
function pathSegment(label: string, text: string): string {
	if (/^[\p{L}\p{N}_~-][\p{L}\p{M}\p{N}_.~ -]*$/u.test(text)) return encodeURIComponent(text);
	throw inputFailure(
		label,
		`is not a valid ID: "${text.toWellFormed().slice(0, 40)}"`,
		'Select it from the list, or enter it as the gateway shows it: letters, digits, and hyphens.',
	);
}

/** The query with the extra pairs instead of those with the same names. */
function overridden(query: QueryPairs, extra: QueryPairs): QueryPairs {
	const names = new Set(extra.map(([name]) => name));
	return [...query.filter(([name]) => !names.has(name)), ...extra];
}
