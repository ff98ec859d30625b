import { optionsField, OUTPUT_FILE } from '../../shared/fields/options';
import { customEndpoint as gatewayEndpoint } from '../../shared/gateway/endpoints';
import { resolveOwnUrl, type OwnUrl } from '../../shared/gateway/ownUrl';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { fetchUtility } from '../fetchUtility';
import {
	ENCODING_NAMES,
	fullResponseField,
	listToSplitOutField,
	queryField,
	splitOutField,
} from '../outputFields';
import { queryPairs } from '../queryPairs';

/** Asks an endpoint that the catalogue does not have, at the credential's own utilities address only. */
export const customEndpoint: ItemOperation = {
	resource: 'customEndpoint',
	value: 'getCustomEndpoint',
	name: 'Get',
	action: 'Get data from custom endpoint',
	description: 'Ask an endpoint of your gateway that is not in the list',
	fields: [
		{
			displayName: 'Prefix',
			name: 'prefix',
			type: 'string',
			default: '/v2/apis/',
			description: 'Where the path begins at the utilities address of the credential',
		},
		{
			displayName: 'Path',
			name: 'path',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. weather/forecast',
			description:
				'Path of the endpoint below the prefix, or a whole URL that begins with an address of the credential',
		},
		queryField('Query Parameters', 'queryParameters', 'What is sent behind the question mark'),
		{
			displayName: 'Encoding',
			name: 'encoding',
			type: 'options',
			options: [
				...Object.entries(ENCODING_NAMES).map(([value, names]) => ({ value, ...names })),
				{ name: 'Not Set', value: '', description: 'The gateway chooses' },
			].sort((one, other) => one.name.localeCompare(other.name)),
			default: '',
			description: 'In which form the answer is asked for; other forms can be named in Query Parameters',
		},
		{ ...splitOutField(false), displayOptions: { show: { encoding: ['', 'json'] } } },
		OUTPUT_FILE,
		optionsField({ timeoutSeconds: 60, body: false }, [fullResponseField, listToSplitOutField]),
	],
	async run(call) {
		const encoding = call.text('encoding');
		const place = placeOf(call);
		const pairs = call.context.getNodeParameter('queryParameters', call.itemIndex, {});
		const query = [...place.query, ...queryPairs(pairs, 'Query Parameters')];
		return await fetchUtility(call, {
			endpoint: gatewayEndpoint('GET', place.path, place.area),
			query: withEncoding(query, encoding),
			fileName: place.path,
			mayBeWebPage: encoding === '' || encoding === 'html',
		});
	},
};

function placeOf(call: Call): OwnUrl {
	const path = call.requiredText('path', 'Path').trim();
	const isWhole = /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
	const prefix = call.text('prefix').trim();
	// One slash between the two; more of them are refused with the rest.
	const text = isWhole ? path : `${prefix.replace(/\/$/, '')}/${path.replace(/^\//, '')}`;
	return resolveOwnUrl(text, 'utilities', call.client.addresses, 'Path');
}

/** An encoding among the pairs goes before the one of the field. */
function withEncoding(pairs: Array<[string, string]>, encoding: string): Array<[string, string]> {
	const isSet = encoding === '' || pairs.some(([name]) => name === 'encoding');
	return isSet ? pairs : [...pairs, ['encoding', encoding]];
}
