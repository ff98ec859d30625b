import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { LIMIT, optionsField, RETURN_ALL, SIMPLIFY } from '../../shared/fields/options';
import { endpoints } from '../../shared/send/endpoints';
import { fetchModels, type Model } from '../../shared/send/lists';
import type { Call } from '../../shared/run/call';
import type { ItemOperation } from '../../shared/run/operation';
import { OptionValues } from '../../shared/run/parameterReader';
import { rawItems } from '../../shared/run/rawAnswer';
import { asRecord, textOr, timeOf } from '../../shared/plain/values';

const FILTER: INodeProperties = {
	displayName: 'Filter',
	name: 'filter',
	type: 'string',
	default: '',
	placeholder: 'e.g. image',
	description: 'Text that the ID or owner of a model must contain. Leave empty to list all models.',
};

const CREATED_AFTER: INodeProperties = {
	displayName: 'Created After',
	name: 'createdAfter',
	type: 'dateTime',
	default: '',
	description: 'List only models that were created after this time',
};

const ENDPOINT_TYPE: INodeProperties = {
	displayName: 'Endpoint Type',
	name: 'endpointType',
	type: 'string',
	default: '',
	placeholder: 'e.g. embeddings',
	description: 'List only models that support this type of endpoint. Not all gateways report endpoint types.',
};

const OWNER: INodeProperties = {
	displayName: 'Owner',
	name: 'owner',
	type: 'string',
	default: '',
	placeholder: 'e.g. vendor',
	description: 'List only models of this owner',
};

const MORE_FILTERS: INodeProperties = {
	displayName: 'More Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description: 'Further conditions. Models without the information are not listed.',
	options: [CREATED_AFTER, ENDPOINT_TYPE, OWNER],
};

/**
 * Reads which models to list: those that match all filters that are set. A model without the information never matches.
 *
 * @throws GatewayFailure (kind `input`) when Created After is not a date
 */
function readFilters(call: Call): (model: Model) => boolean {
	const more = new OptionValues((asRecord(call.value(MORE_FILTERS)) ?? {}) as IDataObject);
	const text = normal(call.text(FILTER));
	const owner = normal(more.text(OWNER));
	const endpointType = normal(more.text(ENDPOINT_TYPE));
	const start = more.value(CREATED_AFTER);
	const createdAfter = start ? readTime(start) : undefined;
	return ({ id, owned_by: ownedBy, created, supported_endpoint_types: types }) =>
		normal(`${id} ${textOr(ownedBy)}`).includes(text) &&
		(owner === '' || normal(textOr(ownedBy)) === owner) &&
		(endpointType === '' ||
			(Array.isArray(types) && types.some((type) => normal(textOr(type)) === endpointType))) &&
		(createdAfter === undefined || Date.parse(timeOf(created) ?? '') > createdAfter);
}

function normal(text: string): string {
	return text.trim().toLowerCase();
}

/** Milliseconds since the epoch. @param value text, or a `Date` or Luxon `DateTime` from an expression */
function readTime(value: unknown): number {
	const time = Date.parse(typeof value === 'string' ? value : (JSON.parse(JSON.stringify(value)) as string));
	if (!Number.isNaN(time)) return time;
	throw inputFailure(
		CREATED_AFTER,
		`is not a date: "${String(value)}"`,
		'Select a date, or enter one such as 2026-01-31.',
	);
}

/** Lists the models that the key can use (interface, 4.11): one item per model. */
export const getManyModels: ItemOperation = {
	value: 'getManyModels',
	name: 'Get Many Models',
	action: 'Get many models',
	description: 'List the models that your API key can use',
	fields: [
		RETURN_ALL,
		LIMIT,
		FILTER,
		MORE_FILTERS,
		SIMPLIFY,
		optionsField({ timeoutSeconds: endpoints.models.timeoutSeconds, body: false }),
	],
	async run(call) {
		const matches = readFilters(call);
		const limit = call.flag(RETURN_ALL) ? Number.POSITIVE_INFINITY : call.number(LIMIT);
		const simplify = call.flag(SIMPLIFY);
		const { entries, hint, sent, rest } = await fetchModels(call.client, call.requestOptions);
		call.hint(hint);
		const models = entries.filter(matches).slice(0, limit);
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
