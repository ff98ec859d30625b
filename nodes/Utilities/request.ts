import { utilityEndpoint, type Endpoint } from '../shared/send/endpoints';
import { filledPath, placeholdersIn, type PathValues } from '../shared/send/pathValues';
import type { Encoding, Utility } from './catalogue/utility';
import type { EnteredPath } from './enteredPath';
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
	/** Where this gateway has the endpoint, if it differs from the interface: the text of the user, and what it means. */
	endpointPath: { text: string; entered: EnteredPath } | undefined;
	/** Further query parameters, which override the endpoint's own. */
	extraQuery: QueryPairs;
}

/**
 * The request to an endpoint of the catalogue (interface, 4.13).
 *
 * @throws GatewayFailure (kind `input`) for a parameter that cannot be part of the path
 */
export function utilityRequest(utility: Utility, input: UtilityInput): UtilityRequest {
	const { values, endpointPath, extraQuery, encoding } = input;
	const inPath = placeholdersIn(endpointPath?.text ?? utility.path);
	const entered = endpointPath?.entered;
	const query: QueryPairs = [
		...(entered?.query ?? []),
		...[...values].filter(([key]) => !inPath.includes(key)),
	];
	if (encoding) query.push([ENCODING.name, encoding]);
	return {
		endpoint: utilityEndpoint(entered?.path ?? filledPath(utility.path, pathValues(utility, values))),
		query: overridden(query, extraQuery),
		encoding: encodingIn(extraQuery) ?? encodingIn(entered?.query ?? []) ?? encoding,
	};
}

/** The values of an item as they may become part of a path. */
export function pathValues({ parameters }: Utility, values: UtilityInput['values']): PathValues {
	return new Map(
		parameters.flatMap(({ key, label }) => {
			const text = values.get(key);
			return text === undefined ? [] : [[key, { parameter: label, text }] as const];
		}),
	);
}

/**
 * The request to an endpoint that the catalogue does not have.
 *
 * @param encoding empty to leave the choice to the gateway; an encoding among the query parameters overrides it
 */
export function customEndpointRequest(
	entered: EnteredPath,
	pairs: QueryPairs,
	encoding: string,
): UtilityRequest {
	const endpoint = utilityEndpoint(entered.path);
	const query = [...entered.query, ...pairs];
	const inQuery = encodingIn(query);
	if (inQuery !== undefined || encoding === '') return { endpoint, query, encoding: inQuery };
	return { endpoint, query: [...query, [ENCODING.name, encoding]], encoding };
}

/** The encoding among query parameters that the user has entered. */
function encodingIn(pairs: QueryPairs): string | undefined {
	return pairs.find(([name]) => name === ENCODING.name)?.[1];
}

/** The query with the extra pairs instead of those with the same names. */
function overridden(query: QueryPairs, extra: QueryPairs): QueryPairs {
	const names = new Set(extra.map(([name]) => name));
	return [...query.filter(([name]) => !names.has(name)), ...extra];
}
