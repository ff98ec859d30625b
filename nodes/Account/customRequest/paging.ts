import type { INodeProperties } from 'n8n-workflow';
import { misfitFailure } from '../../shared/errors/errorMessages';
import type { HttpMethod } from '../../shared/gateway/transport';
import type { Call } from '../../shared/runtime/call';
import { type AnswerFormat, ITEMS_FIELD, valueAt } from './answer';

const PAGED = { method: ['GET'], answerFormat: ['automatic', 'json'] };

const PAGINATION: INodeProperties = {
	displayName: 'Pagination',
	name: 'paging',
	type: 'options',
	options: [
		{
			name: 'By Cursor',
			value: 'cursor',
			description: 'Each response contains a value to request the next page with; the last one has none',
		},
		{
			name: 'By Link',
			value: 'link',
			description: 'Each response contains a link to the next page; the last one has none',
		},
		{
			name: 'By Number',
			value: 'number',
			description: 'Pages are numbered; the first page without entries is the end',
		},
		{ name: 'None', value: 'none', description: 'Send one request' },
	],
	default: 'none',
	displayOptions: { show: PAGED },
	description: 'How to fetch further pages of a long list',
};

const PAGE_PARAMETER: INodeProperties = {
	displayName: 'Page Parameter',
	name: 'pageParameter',
	type: 'string',
	default: 'page',
	displayOptions: { show: { ...PAGED, paging: ['cursor', 'number'] } },
	placeholder: 'e.g. page',
	description: 'Query parameter for the page number or cursor',
};

const FIRST_PAGE: INodeProperties = {
	displayName: 'First Page',
	name: 'firstPage',
	type: 'number',
	default: 1,
	displayOptions: { show: { ...PAGED, paging: ['number'] } },
	description: 'Number of the first page',
};

const NEXT_PAGE_FIELD: INodeProperties = {
	displayName: 'Next Page Field',
	name: 'nextPageField',
	type: 'string',
	default: '',
	displayOptions: { show: { ...PAGED, paging: ['cursor', 'link'] } },
	placeholder: 'e.g. meta.next',
	description: 'Field of the response that contains the cursor or link. Use dots for nested fields.',
};

export const MAX_PAGES: INodeProperties = {
	displayName: 'Max Pages',
	name: 'maxPages',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	displayOptions: { show: { ...PAGED, paging: ['cursor', 'link', 'number'] } },
	description: 'Maximum number of pages to fetch',
};

/** Parameters for the pages of a custom request. */
export const pagingFields: INodeProperties[] = [
	PAGINATION,
	PAGE_PARAMETER,
	FIRST_PAGE,
	NEXT_PAGE_FIELD,
	MAX_PAGES,
];

/** Which pages to fetch. */
export interface PagingSettings {
	paging: Paging;
	maxPages: number;
}

/**
 * Reads which pages to fetch.
 *
 * @returns undefined for a single request, which includes all but GET requests for JSON
 * @throws GatewayFailure (kind `input`) that names the parameter that cannot be used
 */
export function readPaging(call: Call, method: HttpMethod, format: AnswerFormat): PagingSettings | undefined {
	if (method !== 'GET' || (format !== 'json' && format !== 'automatic')) return undefined;
	const paging = readKind(call);
	return paging && { paging, maxPages: call.number(MAX_PAGES) };
}

function readKind(call: Call): Paging | undefined {
	const parameter = () => call.requiredText(PAGE_PARAMETER).trim();
	const field = () => call.requiredText(NEXT_PAGE_FIELD).trim();
	switch (call.text(PAGINATION)) {
		case 'number':
			return { kind: 'number', parameter: parameter(), first: call.number(FIRST_PAGE) };
		case 'cursor':
			return { kind: 'cursor', parameter: parameter(), field: field() };
		case 'link':
			return { kind: 'link', field: field() };
		default:
			return undefined;
	}
}

/** How to find the next page. */
type Paging =
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
			throw misfitFailure(
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
