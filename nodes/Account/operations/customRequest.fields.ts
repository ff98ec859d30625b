import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { optionsField } from '../../shared/fields/options';
import { resolveOwnUrl, type OwnUrl } from '../../shared/gateway/ownUrl';
import type { HttpMethod } from '../../shared/gateway/transport';
import type { Call } from '../../shared/runtime/call';
import { textOr, toText } from '../../shared/values';
import { answerFields } from '../customRequest/answer.fields';
import { bodyFields, CONTENT_TYPE } from '../customRequest/body.fields';
import { pagingFields } from '../customRequest/paging.fields';

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
	description: 'HTTP method of the request. Only a GET request is sent again when its response is lost.',
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

const QUERY_PARAMETERS: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'queryParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add parameter',
	default: {},
	description: 'Parameters for the query string of the URL. Values are encoded automatically.',
	options: [
		{
			displayName: 'Parameter',
			name: 'parameter',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. limit',
					description: 'Name of the parameter. Several parameters may have the same name.',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. 100',
					description: 'Value of the parameter',
				},
			],
		},
	],
};

/** Parameters of Account → Custom Request. */
export const customRequestFields: INodeProperties[] = [
	NOTICE,
	METHOD,
	ADDRESS,
	PATH,
	QUERY_PARAMETERS,
	...bodyFields,
	...answerFields,
	...pagingFields,
	optionsField({ timeoutSeconds: 60, body: false }, [CONTENT_TYPE]),
];

/** Reads the method. @throws GatewayFailure (kind `input`) when an expression returns an unknown one */
export function readMethod(call: Call): HttpMethod {
	const wanted = call.text(METHOD).toUpperCase();
	const method = METHODS.find((known) => known === wanted);
	if (method) return method;
	throw inputFailure(METHOD, `is "${wanted}"`, `Select one of ${METHODS.join(', ')}.`);
}

/**
 * Reads where to send the request, with the query of the path and the query parameters.
 *
 * @throws GatewayFailure (kind `input`) when the path can lead outside the addresses of the credential
 */
export function readUrl(call: Call): OwnUrl {
	const area = call.text(ADDRESS) === 'utilities' ? 'utilities' : 'main';
	const url = resolveOwnUrl(call.text(PATH), area, call.client.addresses, PATH);
	return { ...url, query: [...url.query, ...readQuery(call)] };
}

/** The query parameters with a name, in order. */
function readQuery(call: Call): Array<[string, string]> {
	return call.entries(QUERY_PARAMETERS).flatMap(({ name, value }): Array<[string, string]> => {
		const trimmed = textOr(name).trim();
		return trimmed === '' ? [] : [[trimmed, toText(value)]];
	});
}
