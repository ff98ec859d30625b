import type { IDataObject } from 'n8n-workflow';
import { LIMIT, RETURN_ALL, optionsField, SIMPLIFY } from '../../shared/fields/options';
import { inputFailure } from '../../shared/errors/errorMessages';
import { endpoints } from '../../shared/gateway/endpoints';
import { asRecord } from '../../shared/values';
import type { Call } from '../../shared/runtime/call';
import type { ItemOperation } from '../../shared/runtime/operation';
import { fetchModels, type Model } from '../../shared/gateway/models';
import { fits, type ModelFilters } from '../filterModels';

/** Lists the models that the key may use (interface, 4.11). */
export const getManyModels: ItemOperation = {
	value: 'getManyModels',
	name: 'Get Many Models',
	action: 'Get many models',
	description: 'List the models that your key may use',
	fields: [
		RETURN_ALL,
		LIMIT,
		{
			displayName: 'Filter',
			name: 'filter',
			type: 'string',
			default: '',
			placeholder: 'e.g. image',
			description: 'Text that the ID or the owner of a model must contain. Leave empty for all models.',
		},
		{
			displayName: 'More Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			description: 'What else must hold for a model; models that do not tell are left out',
			options: [
				{
					displayName: 'Created After',
					name: 'createdAfter',
					type: 'dateTime',
					default: '',
					description: 'Only models that are newer than this',
				},
				{
					displayName: 'Endpoint Type',
					name: 'endpointType',
					type: 'string',
					default: '',
					placeholder: 'e.g. embeddings',
					description: 'Only models that work with this kind of endpoint, for gateways that list such kinds',
				},
				{
					displayName: 'Owner',
					name: 'owner',
					type: 'string',
					default: '',
					placeholder: 'e.g. vendor',
					description: 'Only models of this owner',
				},
			],
		},
		SIMPLIFY,
		optionsField({ timeoutSeconds: endpoints.models.timeoutSeconds, body: false }),
	],
	async run(call) {
		const filters = readFilters(call);
		const models = (await fetchModels(call.client, call.requestOptions)).filter((model) =>
			fits(model, filters),
		);
		const limit = call.flag('returnAll') ? models.length : call.number('limit', 'Limit');
		const simplify = call.flag('simplify');
		return models
			.slice(0, limit)
			.map((model) => ({ json: (simplify ? simplified(model) : model) as IDataObject }));
	},
};

function readFilters(call: Call): ModelFilters {
	const more = asRecord(call.context.getNodeParameter('filters', call.itemIndex, {})) ?? {};
	const { createdAfter } = more;
	return {
		text: setText(call.text('filter')),
		owner: setText(more.owner),
		endpointType: setText(more.endpointType),
		createdAfter: createdAfter ? readTime(createdAfter) : undefined,
	};
}

function setText(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A date of the editor, or what an expression gives: a text, a Date or a Luxon DateTime. */
function readTime(value: unknown): number {
	const time = Date.parse(typeof value === 'string' ? value : (JSON.parse(JSON.stringify(value)) as string));
	if (!Number.isNaN(time)) return time;
	throw inputFailure(
		'Created After',
		`is not a date: "${String(value)}"`,
		'Pick a day, or enter one such as 2026-01-31.',
	);
}

function simplified(model: Model): IDataObject {
	const { id, owned_by: ownedBy, created, supported_endpoint_types: endpointTypes } = model;
	const time =
		typeof created === 'number' && created > 0 ? new Date(created * 1000).toISOString() : undefined;
	return { id, ownedBy, created: time, ...(endpointTypes ? { endpointTypes } : {}) } as IDataObject;
}
