import { resolveOwnUrl, type OwnUrl } from '../../shared/gateway/ownUrl';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationResult } from '../../shared/runtime/operation';
import { catalogue } from '../catalogue';
import type { Utility, UtilityParameter } from '../catalogue/utility';
import { fetchUtility } from '../fetchUtility';
import { isField } from '../fields';
import { queryPairs } from '../queryPairs';
import { utilityRequest } from '../request';

/** One operation for each endpoint of the catalogue. Their fields are shared: see `catalogueFields`. */
export const cataloguedOperations: ItemOperation[] = catalogue.map((utility) => ({
	resource: utility.group,
	value: utility.value,
	name: utility.name,
	action: utility.action,
	description: `${utility.description} (${utility.chinese})`,
	fields: [],
	run: async (call) => await run(call, utility),
}));

async function run(call: Call, utility: Utility): Promise<OperationResult[]> {
	const encoding = utility.encodings.length > 0 ? call.text('encoding') : undefined;
	const { endpointPath, extraQuery } = call.options;
	const request = utilityRequest(utility, {
		encoding,
		values: Object.fromEntries(
			utility.parameters.map((parameter) => [parameter.key, valueOf(call, parameter)]),
		),
		place: placeOf(call, endpointPath),
		extraQuery: queryPairs(extraQuery, 'Extra Query Parameters'),
		timeZone: call.context.getTimezone(),
	});
	return await fetchUtility(call, {
		...request,
		fileName: utility.name,
		mayBeWebPage: encoding === 'html',
		usualList: utility.list,
	});
}

function placeOf({ client }: Call, endpointPath: unknown): OwnUrl | undefined {
	if (typeof endpointPath !== 'string' || endpointPath.trim() === '') return undefined;
	return resolveOwnUrl(endpointPath, 'utilities', client.addresses, 'Endpoint Path');
}

function valueOf(call: Call, parameter: UtilityParameter): unknown {
	const { key, type } = parameter;
	if (!isField(parameter)) return call.options[key];
	const extractValue = type === 'picker';
	return call.context.getNodeParameter(key, call.itemIndex, '', { extractValue });
}
