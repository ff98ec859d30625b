import type { Model } from '../shared/gateway/models';
import { textOr } from '../shared/values';

/** Which models to list. A model must match all filters that are set. */
export interface ModelFilters {
	/** Part of the ID or owner, in any case. */
	text?: string;
	/** Name of the owner, in any case. */
	owner?: string;
	/** An entry of `supported_endpoint_types`, which some gateways report. */
	endpointType?: string;
	/** Milliseconds since the epoch. */
	createdAfter?: number;
}

/** Whether a model matches the filters. A filter never matches a model without the information. */
export function matchesFilters(
	model: Model,
	{ text, owner, endpointType, createdAfter }: ModelFilters,
): boolean {
	const { id, owned_by: ownedBy, created, supported_endpoint_types: types } = model;
	return (
		(text === undefined || normal(`${id} ${textOr(ownedBy)}`).includes(normal(text))) &&
		(owner === undefined || normal(textOr(ownedBy)) === normal(owner)) &&
		(endpointType === undefined ||
			(Array.isArray(types) && types.some((type) => normal(textOr(type)) === normal(endpointType)))) &&
		(createdAfter === undefined || (typeof created === 'number' && created * 1000 > createdAfter))
	);
}

function normal(text: string): string {
	return text.trim().toLowerCase();
}
