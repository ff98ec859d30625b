import type { IDataObject } from 'n8n-workflow';
import { fetchModels, type Model } from '../../shared/gateway/models';
import type { ItemOperation } from '../../shared/runtime/operation';
import { matchesFilters } from '../filterModels';
import { getManyModelsFields, readFilters, readModelOutput } from './getManyModels.fields';

/** Lists the models that the key can use (interface, 4.11): one item per model. */
export const getManyModels: ItemOperation = {
	value: 'getManyModels',
	name: 'Get Many Models',
	action: 'Get many models',
	description: 'List the models that your API key can use',
	fields: getManyModelsFields,
	async run(call) {
		const filters = readFilters(call);
		const models = (await fetchModels(call.client, call.requestOptions)).filter((model) =>
			matchesFilters(model, filters),
		);
		const { limit, simplify } = readModelOutput(call);
		return models
			.slice(0, limit)
			.map((model) => ({ json: simplify ? simplified(model) : (model as IDataObject) }));
	},
};

function simplified(model: Model): IDataObject {
	const { id, owned_by: ownedBy, created, supported_endpoint_types: endpointTypes } = model;
	const time =
		typeof created === 'number' && created > 0 ? new Date(created * 1000).toISOString() : undefined;
	return { id, ownedBy, created: time, ...(endpointTypes ? { endpointTypes } : {}) } as IDataObject;
}
