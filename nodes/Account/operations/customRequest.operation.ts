import { toFailure } from '../../shared/errors/gatewayFailure';
import { customEndpoint } from '../../shared/gateway/endpoints';
import { resolveOwnUrl, type OwnUrl } from '../../shared/gateway/ownUrl';
import type { HttpMethod } from '../../shared/gateway/transport';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationResult } from '../../shared/runtime/operation';
import { answerReader, entriesOf, toItem, type CustomAnswer } from '../customRequest/answer';
import { readAnswerSettings, readOutputField, type AnswerSettings } from '../customRequest/answer.fields';
import { readBody } from '../customRequest/body.fields';
import { firstPage, nextPage, withParameter, type NextPage } from '../customRequest/paging';
import { MAX_PAGES, readPaging, type PagingSettings } from '../customRequest/paging.fields';
import { customRequestFields, readMethod, readUrl } from './customRequest.fields';

/** Sends a custom request to the credential's addresses only. */
export const customRequest: ItemOperation = {
	value: 'customRequest',
	name: 'Custom Request',
	action: 'Send custom request',
	description: 'Send any request to your gateway with your credential',
	fields: customRequestFields,
	async run(call) {
		const method = readMethod(call);
		const url = readUrl(call);
		const settings = readAnswerSettings(call);
		const paging = readPaging(call, method, settings.format);
		if (paging) return await fetchPages(call, url, settings, paging);
		return toResults(call, await send(call, method, url, settings), settings);
	},
};

async function send(
	call: Call,
	method: HttpMethod,
	{ area, path, query }: OwnUrl,
	{ format }: AnswerSettings,
): Promise<CustomAnswer> {
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

function toResults(call: Call, answer: CustomAnswer, { itemsField }: AnswerSettings): OperationResult[] {
	switch (answer.kind) {
		case 'json': {
			const entries = entriesOf(answer.body, itemsField);
			return (entries ?? [answer.body]).map((entry) => ({ json: toItem(entry) }));
		}
		case 'text':
			return [{ json: { text: answer.text } }];
		case 'file': {
			const { fileName, mimeType, bytes } = answer.file;
			const field = readOutputField(call);
			return [{ json: { fileName, mimeType, bytes }, files: { [field]: answer.file } }];
		}
		case 'empty':
			return [{ json: { status: answer.status, empty: true } }];
	}
}

/**
 * Returns the items of all pages.
 *
 * @throws GatewayFailure when a page cannot be fetched, with the items of the previous pages in its details
 */
async function fetchPages(
	call: Call,
	start: OwnUrl,
	settings: AnswerSettings,
	{ paging, maxPages }: PagingSettings,
): Promise<OperationResult[]> {
	const results: OperationResult[] = [];
	let url = start;
	let next = firstPage(paging);
	let previous: string | undefined;
	for (let page = 1; ; page++) {
		try {
			if (next) url = urlOf(call, start, url, next);
			const answer = await send(call, 'GET', url, settings);
			if (answer.kind !== 'json') return [...results, ...toResults(call, answer, settings)];

			const text = JSON.stringify(answer.body);
			if (text === previous) {
				call.hint(
					`Page ${page} repeats the previous page, so it was omitted and no further page was fetched.`,
				);
				return results;
			}
			previous = text;
			results.push(...toResults(call, answer, settings));
			next = nextPage(paging, page, answer.body, entriesOf(answer.body, settings.itemsField));
		} catch (error) {
			const partial = { finishedPages: page - 1, items: results.map(({ json }) => json) };
			throw toFailure(page === 1 ? error : toFailure(error).with({ partial }));
		}
		if (!next) return results;
		if (page >= maxPages) {
			call.hint(
				`${maxPages} pages were fetched, the maximum set in ${MAX_PAGES.displayName}. There may be more.`,
			);
			return results;
		}
	}
}

/** The URL of the next page. The rules for Path also apply to a link in a response. */
function urlOf({ client }: Call, start: OwnUrl, current: OwnUrl, next: NextPage): OwnUrl {
	if ('parameter' in next) return { ...start, query: withParameter(start.query, next.parameter) };
	const link = next.link.startsWith('?') ? `${current.path}${next.link}` : next.link;
	return resolveOwnUrl(link, current.area, client.addresses, 'The link of the next page');
}
