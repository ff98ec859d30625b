import type { IDataObject } from 'n8n-workflow';
import { listFields, optionsField, simplifyField } from '../../shared/fields/options';
import { endpoints } from '../../shared/gateway/endpoints';
import { fetchModels } from '../../shared/gateway/lists';
import type { ItemOperation } from '../../shared/runtime/operation';

/** Lists the models that the key may use (interface, 4.11). */
export const getManyModels: ItemOperation = {
	value: 'getManyModels',
	name: 'Get Many Models',
	action: 'Get many models',
	description: 'List the models that your key may use',
	fields: [
		...listFields,
		{
			displayName: 'Filter',
			name: 'filter',
			type: 'string',
			default: '',
			placeholder: 'e.g. image',
			description: 'Text that the ID or the owner of a model must contain. Leave empty for all models.',
		},
		simplifyField,
		optionsField({ timeoutSeconds: endpoints.models.timeoutSeconds, body: false }),
	],
	async run(call) {
		const wanted = call.text('filter').trim().toLowerCase();
		const models = (await fetchModels(call.client, call.requestOptions)).filter(({ id, owned_by: owner }) =>
			`${id} ${typeof owner === 'string' ? owner : ''}`.toLowerCase().includes(wanted),
		);
		const limit = call.flag('returnAll') ? models.length : call.number('limit', 'Limit');
		const simplify = call.flag('simplify');
		return models
			.slice(0, limit)
			.map((model) => ({ json: (simplify ? simplified(model) : model) as IDataObject }));
	},
};

function simplified({ id, owned_by: ownedBy, created }: Record<string, unknown>): IDataObject {
	const time =
		typeof created === 'number' && created > 0 ? new Date(created * 1000).toISOString() : undefined;
	return { id, ownedBy, created: time } as IDataObject;
}
