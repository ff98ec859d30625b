import type { Model } from '../shared/gateway/models';

/** Which models are wanted; all that is set must hold. */
export interface ModelFilters {
	/** Part of the ID or the owner, in any case. */
	text?: string;
	/** Name of the owner, in any case. */
	owner?: string;
	/** An entry of `supported_endpoint_types`, which some gateways report. */
	endpointType?: string;
	/** Milliseconds since the epoch. */
	createdAfter?: number;
}

/** Whether a model fulfils the filters. What a model does not tell cannot fulfil one. */
export function fits(model: Model, { text, owner, endpointType, createdAfter }: ModelFilters): boolean {
	const { id, owned_by: ownedBy, created, supported_endpoint_types: types } = model;
	return (
		(text === undefined || normal(`${id} ${textOf(ownedBy)}`).includes(normal(text))) &&
		(owner === undefined || normal(textOf(ownedBy)) === normal(owner)) &&
		(endpointType === undefined ||
			(Array.isArray(types) && types.some((type) => normal(textOf(type)) === normal(endpointType)))) &&
		(createdAfter === undefined || (typeof created === 'number' && created * 1000 > createdAfter))
	);
}

function normal(text: string): string {
	return text.trim().toLowerCase();
}

function textOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
