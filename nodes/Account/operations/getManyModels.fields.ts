import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../../shared/errors/errorMessages';
import { LIMIT, optionsField, RETURN_ALL, SIMPLIFY } from '../../shared/fields/options';
import { endpoints } from '../../shared/gateway/endpoints';
import type { Call } from '../../shared/runtime/call';
import { OptionValues } from '../../shared/runtime/optionValues';
import { asRecord } from '../../shared/values';
import type { ModelFilters } from '../filterModels';

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

/** Parameters of Account → Get Many Models. */
export const getManyModelsFields: INodeProperties[] = [
	RETURN_ALL,
	LIMIT,
	FILTER,
	MORE_FILTERS,
	SIMPLIFY,
	optionsField({ timeoutSeconds: endpoints.models.timeoutSeconds, body: false }),
];

/** Reads which models to list. @throws GatewayFailure (kind `input`) when Created After is not a date */
export function readFilters(call: Call): ModelFilters {
	const more = new OptionValues((asRecord(call.value(MORE_FILTERS)) ?? {}) as IDataObject);
	const createdAfter = more.value(CREATED_AFTER);
	return {
		text: call.text(FILTER).trim() || undefined,
		owner: more.text(OWNER) || undefined,
		endpointType: more.text(ENDPOINT_TYPE) || undefined,
		createdAfter: createdAfter ? readTime(createdAfter) : undefined,
	};
}

/** How many models to return, and in which form. */
export interface ModelOutput {
	/** Infinity for all. */
	limit: number;
	simplify: boolean;
}

/** Reads what to return. @throws GatewayFailure (kind `input`) when Limit cannot be used */
export function readModelOutput(call: Call): ModelOutput {
	return {
		limit: call.flag(RETURN_ALL) ? Number.POSITIVE_INFINITY : call.number(LIMIT),
		simplify: call.flag(SIMPLIFY),
	};
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
