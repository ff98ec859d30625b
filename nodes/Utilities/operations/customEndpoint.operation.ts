import type { ItemOperation } from '../../shared/runtime/operation';
import { fetchUtility } from '../fetchUtility';
import { customRequest } from '../request';
import { customEndpointFields, readCustomEndpoint } from './customEndpoint.fields';

/** Requests an endpoint that the catalogue does not have, only at the addresses of the credential. */
export const customEndpoint: ItemOperation = {
	resource: 'customEndpoint',
	value: 'getCustomEndpoint',
	name: 'Get',
	action: 'Get data from custom endpoint',
	description: 'Get data from an endpoint of your gateway that is not in the list',
	fields: customEndpointFields,
	async run(call) {
		const { ownUrl, query, encoding } = readCustomEndpoint(call);
		return await fetchUtility(call, {
			...customRequest(ownUrl, query, encoding),
			fileName: ownUrl.path,
			mayBeWebPage: encoding === '' || encoding === 'html',
		});
	},
};
