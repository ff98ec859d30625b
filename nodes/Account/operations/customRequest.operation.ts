import type { IDataObject } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { customEndpoint } from '../../shared/gateway/endpoints';
import { toFailure } from '../../shared/errors/gatewayFailure';
import { resolveOwnUrl, type OwnUrl } from '../../shared/gateway/ownUrl';
import type { HttpMethod } from '../../shared/gateway/transport';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationResult } from '../../shared/runtime/operation';
import { answerReader, entriesOf, toItem, type AnswerFormat, type CustomAnswer } from '../customAnswer';
import { readBody } from '../customBody';
import { firstPage, nextPage, withParameter, type NextPage, type Paging } from '../paging';
import { customRequestFields, DEFAULT_MAX_PAGES } from './customRequest.fields';

const METHODS: HttpMethod[] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

/** Sends a request of the user's own to the credential's addresses, and to no others. */
export const customRequest: ItemOperation = {
	value: 'customRequest',
	name: 'Custom Request',
	action: 'Send custom request',
	description: 'Ask for anything that the gateway offers, with your credential',
	fields: customRequestFields,
	async run(call) {
		const method = readMethod(call);
		const area = call.text('address') === 'utilities' ? 'utilities' : 'main';
		const place = resolveOwnUrl(call.text('path'), area, call.client.addresses, 'Path');
		const start = { ...place, query: [...place.query, ...readQuery(call)] };
		const paging = readPaging(call, method);
		if (paging) return await allPages(call, start, paging);
		return toResults(call, await send(call, method, start));
	},
};

async function send(call: Call, method: HttpMethod, { area, path, query }: OwnUrl): Promise<CustomAnswer> {
	const format = call.text('answerFormat') as AnswerFormat;
	return await call.client.send(
		{
			...call.requestOptions,
			endpoint: customEndpoint(method, path, area),
			query,
			body: method === 'GET' ? undefined : await readBody(call),
			streamed: format === 'file' || format === 'automatic',
		},
		answerReader(call, format, path),
	);
}

function toResults(call: Call, answer: CustomAnswer): OperationResult[] {
	switch (answer.kind) {
		case 'json': {
			const entries = entriesOf(answer.body, itemsField(call));
			return (entries ?? [answer.body]).map((entry) => ({ json: toItem(entry) }));
		}
		case 'text':
			return [{ json: { text: answer.text } }];
		case 'file': {
			const { fileName, mimeType, bytes } = answer.file;
			const field = call.requiredText('binaryPropertyName', 'Put Output File in Field');
			return [{ json: { fileName, mimeType, bytes }, files: { [field]: answer.file } }];
		}
		case 'empty':
			return [{ json: { status: answer.status, empty: true } }];
	}
}

/** The items of all pages; when a page cannot be had, those of the pages before it are kept in the details. */
async function allPages(call: Call, start: OwnUrl, paging: Paging): Promise<OperationResult[]> {
	const maxPages = call.number('maxPages', 'Max Pages') || DEFAULT_MAX_PAGES;
	const results: OperationResult[] = [];
	let place = start;
	let next = firstPage(paging);
	let before: string | undefined;
	for (let page = 1; ; page++) {
		try {
			if (next) place = placeOf(call, start, place, next);
			const answer = await send(call, 'GET', place);
			if (answer.kind !== 'json') return [...results, ...toResults(call, answer)];

			const text = JSON.stringify(answer.body);
			if (text === before) {
				call.hint(
					`Page ${page} repeats the one before it, so it was left out and no further page was fetched.`,
				);
				return results;
			}
			before = text;
			results.push(...toResults(call, answer));
			next = nextPage(paging, page, answer.body, entriesOf(answer.body, itemsField(call)));
		} catch (error) {
			const partial = { finishedPages: page - 1, items: results.map(({ json }) => json) };
			throw toFailure(page === 1 ? error : toFailure(error).with({ partial }));
		}
		if (!next) return results;
		if (page >= maxPages) {
			call.hint(`${maxPages} pages were fetched, as many as Max Pages allows; there may be more.`);
			return results;
		}
	}
}

/** Where the next page is. A link of the gateway must lead to the credential's addresses like any other. */
function placeOf({ client }: Call, start: OwnUrl, current: OwnUrl, next: NextPage): OwnUrl {
	if ('parameter' in next) return { ...start, query: withParameter(start.query, next.parameter) };
	const link = next.link.startsWith('?') ? `${current.path}${next.link}` : next.link;
	return resolveOwnUrl(link, current.area, client.addresses, 'The link of the next page');
}

function readPaging(call: Call, method: HttpMethod): Paging | undefined {
	const format = call.text('answerFormat');
	if (method !== 'GET' || (format !== 'json' && format !== 'automatic')) return undefined;
	switch (call.text('paging')) {
		case 'number':
			return {
				kind: 'number',
				parameter: call.requiredText('pageParameter', 'Page Parameter').trim(),
				first: call.number('firstPage', 'First Page'),
			};
		case 'cursor':
			return {
				kind: 'cursor',
				parameter: call.requiredText('pageParameter', 'Page Parameter').trim(),
				field: call.requiredText('nextPageField', 'Next Page Field').trim(),
			};
		case 'link':
			return { kind: 'link', field: call.requiredText('nextPageField', 'Next Page Field').trim() };
		default:
			return undefined;
	}
}

function readQuery(call: Call): Array<[string, string]> {
	const entries = call.context.getNodeParameter(
		'queryParameters.parameter',
		call.itemIndex,
		[],
	) as IDataObject[];
	return entries.flatMap(({ name, value }): Array<[string, string]> => {
		const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
		return typeof name === 'string' && name.trim() !== '' ? [[name.trim(), text]] : [];
	});
}

function readMethod(call: Call): HttpMethod {
	const wanted = call.text('method').toUpperCase();
	const method = METHODS.find((known) => known === wanted);
	if (method) return method;
	throw inputFailure('Method', `is "${wanted}"`, `Choose one of ${METHODS.join(', ')}.`);
}

function itemsField(call: Call): string {
	return call.text('itemsField').trim();
}
