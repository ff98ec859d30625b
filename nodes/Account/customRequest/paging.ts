import { inputFailure } from '../../shared/errors/errorMessages';
import { asRecord } from '../../shared/values';
import { ITEMS_FIELD } from './answer.fields';

/** How to find the next page. */
export type Paging =
	/** By a number in the query that increases by one; the first page without entries is the end. */
	| { kind: 'number'; parameter: string; first: number }
	/** By a value in the response that goes into the query; a response without it is the end. */
	| { kind: 'cursor'; parameter: string; field: string }
	/** By a link in the response; a response without it is the end. */
	| { kind: 'link'; field: string };

/** What to request next: the query parameter of the page, or its link. */
export type NextPage = { parameter: [string, string] } | { link: string };

/** The query parameter of the first page, if it has one. */
export function firstPage(paging: Paging): NextPage | undefined {
	return paging.kind === 'number' ? { parameter: [paging.parameter, String(paging.first)] } : undefined;
}

/**
 * Finds the page after a page.
 *
 * @param page number of pages read so far, from 1
 * @param body response with the last page
 * @param entries entries of the last page; undefined when the response contains no list
 * @returns undefined at the end
 * @throws GatewayFailure (kind `input`) for numbered pages without entries to count
 */
export function nextPage(
	paging: Paging,
	page: number,
	body: unknown,
	entries: unknown[] | undefined,
): NextPage | undefined {
	if (paging.kind === 'number') {
		if (!entries) {
			throw inputFailure(
				ITEMS_FIELD,
				'does not name a list, so the last page cannot be detected',
				'Pages are fetched until one has no entries. Enter the name of the field that contains the list.',
			);
		}
		if (entries.length === 0) return undefined;
		return { parameter: [paging.parameter, String(paging.first + page)] };
	}
	const value = valueAt(body, paging.field);
	const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
	if (text === '') return undefined;
	return paging.kind === 'cursor' ? { parameter: [paging.parameter, text] } : { link: text };
}

/** The query with the parameter of a page, in place of other parameters with the same name. */
export function withParameter(
	query: Array<[string, string]>,
	[name, value]: [string, string],
): Array<[string, string]> {
	return [...query.filter(([other]) => other !== name), [name, value]];
}

/** The value at a dotted path, or undefined. */
export function valueAt(body: unknown, path: string): unknown {
	return path.split('.').reduce<unknown>((value, name) => {
		if (Array.isArray(value)) return /^\d{1,6}$/.test(name) ? (value[Number(name)] as unknown) : undefined;
		const record = asRecord(value);
		return record && Object.hasOwn(record, name) ? record[name] : undefined;
	}, body);
}
