import type { INodeProperties } from 'n8n-workflow';
import type { HttpMethod } from '../../shared/gateway/transport';
import type { Call } from '../../shared/runtime/call';
import type { AnswerFormat } from './answer.fields';
import type { Paging } from './paging';

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
