import type { IDataObject } from 'n8n-workflow';
import { LIMIT, optionFields, RETURN_ALL, SIMPLIFY } from '../../shared/fields/options';
import { endpoints } from '../../shared/send/endpoints';
import { fetchModels, type Model } from '../../shared/send/lists';
import { type ItemOperation, rawItems } from '../../shared/run/operation';
import { textOr, timeOf } from '../../shared/plain/values';
import { textField } from '../../shared/fields/field';

const FILTER = textField(
	'Filter',
	'filter',
	'Text that the ID or owner of a model must contain. Leave empty to list all models.',
	{ placeholder: 'e.g. image' },
);

/** Lists the models that the key can use (interface, 4.11): one item per model. */
export const getManyModels: ItemOperation = {
	value: 'getManyModels',
	name: 'Get Many Models',
	action: 'Get many models',
	description: 'List the models that your API key can use',
	fields: [RETURN_ALL, LIMIT, FILTER, SIMPLIFY, ...optionFields(endpoints.models)],
	async run(call) {
		const filter = call.text(FILTER).trim().toLowerCase();
		const limit = call.flag(RETURN_ALL) ? Number.POSITIVE_INFINITY : call.number(LIMIT);
		const simplify = call.flag(SIMPLIFY);
		const { entries, hint, sent, rest } = await fetchModels(call.client, call.requestOptions);
		call.hint(hint);
		const models = entries
			.filter(({ id, owned_by: owner }) => `${id} ${textOr(owner)}`.toLowerCase().includes(filter))
			.slice(0, limit);
		if (simplify) return models.map((model) => ({ json: simplified(model) }));
		const listed = models.map((model) => sent.get(model));
		return rawItems(listed, rest).map((json) => ({ json }));
	},
};

function simplified(model: Model): IDataObject {
	const { id, owned_by: ownedBy, created, supported_endpoint_types: endpointTypes } = model;
	return {
		id,
		ownedBy,
		created: timeOf(created),
		...(endpointTypes ? { endpointTypes } : {}),
	} as IDataObject;
}
