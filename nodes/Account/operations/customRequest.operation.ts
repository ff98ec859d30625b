import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { toFailure } from '../../shared/errors/gatewayFailure';
import { optionsField } from '../../shared/fields/options';
import { QUERY_NAME, QUERY_VALUE, queryField } from '../../shared/fields/query';
import { customEndpoint } from '../../shared/gateway/endpoints';
import { type OwnUrl, resolveOwnUrl } from '../../shared/gateway/ownUrl';
import type { HttpMethod } from '../../shared/gateway/transport';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationResult } from '../../shared/runtime/operation';
import { toItem } from '../../shared/runtime/rawAnswer';
import { JSON_BUDGET } from '../../shared/http/budgets';
import { approximateLength, textOr, toText } from '../../shared/values';
import {
	answerFields,
	answerReader,
	type AnswerSettings,
	type CustomAnswer,
	entriesOf,
	pathFailure,
	readAnswerSettings,
	readOutputField,
} from '../customRequest/answer';
import { bodyFields, CONTENT_TYPE, readBody } from '../customRequest/body.fields';
import {
	firstPage,
	MAX_PAGES,
	nextPage,
	type NextPage,
	pagingFields,
	type PagingSettings,
	readPaging,
	withParameter,
} from '../customRequest/paging';

const METHODS: HttpMethod[] = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'];

const NOTICE: INodeProperties = {
	displayName:
		'Sends any request to your gateway with your credential. The key is sent only to the addresses in the credential.',
	name: 'notice',
	type: 'notice',
	default: '',
};

const METHOD: INodeProperties = {
	displayName: 'Method',
	name: 'method',
	type: 'options',
	options: METHODS.map((method) => ({ name: method, value: method })),
	default: 'GET',
	description:
		'HTTP method of the request. By default, only a GET request is sent again when its response is lost.',
};

const ADDRESS: INodeProperties = {
	displayName: 'Address',
	name: 'address',
	type: 'options',
	options: [
		{ name: 'Base URL', value: 'main', description: 'With the alternate address for paths below /v1' },
		{ name: 'Utilities Base URL', value: 'utilities', description: 'For paths below /v2/apis' },
	],
	default: 'main',
	description: 'Address of the credential that the path belongs to',
};

const PATH: INodeProperties = {
	displayName: 'Path',
	name: 'path',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. /v1/models',
	description: 'Path below the address, or a whole URL that starts with an address of the credential',
};

const QUERY_PARAMETERS = queryField(
	'Query Parameters',
	'queryParameters',
	'Parameters for the query string of the URL. Values are encoded automatically.',
);

/** Parameters of Account → Custom Request. */
const customRequestFields: INodeProperties[] = [
	NOTICE,
	METHOD,
	ADDRESS,
	PATH,
	QUERY_PARAMETERS,
	...bodyFields,
	...answerFields,
	...pagingFields,
	optionsField({ timeoutSeconds: 60, body: false, streams: true, reuse: true, unclear: true }, [
		CONTENT_TYPE,
	]),
];

/** Reads the method. @throws GatewayFailure (kind `input`) when an expression returns an unknown one */
function readMethod(call: Call): HttpMethod {
	const wanted = call.text(METHOD).toUpperCase();
	const method = METHODS.find((known) => known === wanted);
	if (method) return method;
	throw inputFailure(
		METHOD,
		`is "${wanted}", which is not one of the choices`,
		`Select one of ${METHODS.join(', ')}.`,
	);
}

/**
 * Reads where to send the request, with the query of the path and the query parameters.
 *
 * @throws GatewayFailure (kind `input`) when the path can lead outside the addresses of the credential
 */
function readUrl(call: Call): OwnUrl {
	const area = call.text(ADDRESS) === 'utilities' ? 'utilities' : 'main';
	const url = resolveOwnUrl(call.text(PATH), area, call.client.addresses, PATH);
	return { ...url, query: [...url.query, ...readQuery(call)] };
}

/** The query parameters with a name, in order. */
function readQuery(call: Call): Array<[string, string]> {
	return call.entries(QUERY_PARAMETERS).flatMap((entry): Array<[string, string]> => {
		const name = textOr(entry[QUERY_NAME.name]).trim();
		return name === '' ? [] : [[name, toText(entry[QUERY_VALUE.name])]];
	});
}

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
	const request = {
		...call.requestOptions,
		endpoint: customEndpoint(method, path, area),
		query,
		body: method === 'GET' ? undefined : await readBody(call),
		streamed: format === 'file' || format === 'automatic' ? ('file' as const) : undefined,
	};
	const read = answerReader(call, format, path);
	try {
		if (method === 'GET') return await call.client.send(request, read);
		const { value } = await call.pay(request, read, {
			filesOf: (answer) => (answer.kind === 'file' ? [answer.file] : []),
			variant: format,
		});
		return value;
	} catch (error) {
		throw pathFailure(toFailure(error));
	}
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
	let length = 0;
	for (let page = 1; ; page++) {
		try {
			if (next) url = urlOf(call, start, url, next);
			const answer = await send(call, 'GET', url, settings);
			if (answer.kind !== 'json') return [...results, ...toResults(call, answer, settings)];

			if (answer.digest === previous) {
				call.hint(
					`Page ${page} repeats the previous page, so it was omitted and no further page was fetched.`,
				);
				return results;
			}
			previous = answer.digest;
			length += approximateLength(answer.body);
			results.push(...toResults(call, answer, settings));
			next = nextPage(paging, page, answer.body, entriesOf(answer.body, settings.itemsField));
		} catch (error) {
			const partial = { finishedPages: page - 1, items: results.map(({ json }) => json) };
			throw toFailure(page === 1 ? error : toFailure(error).with({ partial }));
		}
		if (!next) return results;
		if (length > JSON_BUDGET.bytes) {
			call.hint(
				`${page} pages were fetched. Together, they are longer than ${JSON_BUDGET.bytes / 1e6} MB, the maximum for one item. There may be more.`,
			);
			return results;
		}
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
