import type { INodeProperties } from 'n8n-workflow';
import { SIMPLIFY } from '../../shared/fields/options';
import type { ItemOperation } from '../../shared/run/operation';
import { resolveEnteredPath } from '../enteredPath';
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
import { textField } from '../../shared/fields/field';

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
		const { path, query } = resolveEnteredPath(entered, PATH, call.text(PREFIX));
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
