import { inputFailure } from '../shared/errors/errorMessages';
import { asRecord } from '../shared/values';

/** How the next page is found. */
export type Paging =
	/** A number in the query that grows by one; the first page without entries is the end. */
	| { kind: 'number'; parameter: string; first: number }
	/** A text in the answer that goes into the query; without it the end is reached. */
	| { kind: 'cursor'; parameter: string; field: string }
	/** A link in the answer; without it the end is reached. */
	| { kind: 'link'; field: string };

/** What is asked for next; for a link, the link itself. */
export type NextPage = { parameter: [string, string] } | { link: string };

/** The parameter that the first page is asked for with, if there is one. */
export function firstPage(paging: Paging): NextPage | undefined {
	return paging.kind === 'number' ? { parameter: [paging.parameter, String(paging.first)] } : undefined;
}

/**
 * What comes after a page.
 *
 * @param page how many pages were read, from 1
 * @param body the page's answer
 * @param entries the page's entries; undefined when the answer holds no list
 * @returns undefined at the end
 * @throws GatewayFailure (kind `input`) when pages are counted and it cannot be seen where they end
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
				'Items Field',
				'names no list, so the last page cannot be told',
				'Pages are counted until one has no entries. Enter the name of the field that holds the list.',
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

/** The query of the next page: the parameter takes the place of one with the same name. */
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
