import type { Call } from '../../shared/runtime/call';
import type { ItemOperation, OperationResult } from '../../shared/runtime/operation';
import { catalogue } from '../catalogue';
import type { Utility } from '../catalogue/utility';
import { fetchUtility } from '../fetchUtility';
import { utilityRequest } from '../request';
import { readUtilityInput } from './catalogued.fields';

/** One operation for each endpoint of the catalogue. They share their fields; see `catalogueFields`. */
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
	const input = readUtilityInput(call, utility);
	return await fetchUtility(call, {
		...utilityRequest(utility, input),
		fileName: utility.name,
		mayBeWebPage: input.encoding === 'html',
		mainList: utility.list,
	});
}
