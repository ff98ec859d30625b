import { inputFailure } from '../shared/gateway/advice';
import type { Utility, UtilityParameter } from './catalogue/utility';

/** Path and query of a request to a utility endpoint. */
export interface UtilityRequest {
	path: string;
	query: Record<string, string>;
}

/**
 * Builds the request of a utility endpoint from what the editor's fields hold.
 *
 * @param values value by the parameter's key; what is not set is left out of the request
 * @param encoding undefined for an endpoint without encodings
 * @throws GatewayFailure (kind `input`) that names the parameter that is missing or out of range
 */
export function utilityRequest(
	utility: Utility,
	values: Record<string, unknown>,
	encoding: string | undefined,
): UtilityRequest {
	let { path } = utility;
	const query: Record<string, string> = {};
	for (const parameter of utility.parameters) {
		const text = toText(parameter, values[parameter.key]);
		if (text === undefined) {
			if (parameter.required) throw inputFailure(parameter.label, 'is empty', `Fill in ${parameter.label}.`);
			continue;
		}
		const slot = `{${parameter.key}}`;
		if (path.includes(slot)) path = path.replace(slot, encodeURIComponent(text));
		else query[parameter.key] = text;
	}
	if (encoding !== undefined) query.encoding = encoding;
	return { path, query };
}

function toText(parameter: UtilityParameter, value: unknown): string | undefined {
	if (parameter.type === 'presence') return value === true ? parameter.value : undefined;
	if (value === undefined || value === null || value === '') return undefined;
	switch (parameter.type) {
		case 'date':
			return toDate(parameter.label, value);
		case 'number':
			return toNumber(parameter, value);
		case 'text':
		case 'list':
			return typeof value === 'object' ? JSON.stringify(value) : `${value as string}`;
	}
}

/** The day as YYYY-MM-DD, as it stands in the field: its time and zone do not shift it. */
function toDate(label: string, value: unknown): string {
	const iso = value instanceof Date ? value.toISOString() : String(value);
	const day = /^\d{4}-\d{2}-\d{2}/.exec(iso)?.[0];
	if (!day || Number.isNaN(Date.parse(day))) {
		throw inputFailure(
			label,
			`is not a date: "${iso}"`,
			'Pick a day, or enter one as YYYY-MM-DD, for example 2026-01-31.',
		);
	}
	return day;
}

function toNumber(parameter: UtilityParameter & { type: 'number' }, value: unknown): string {
	const number = Number(value);
	const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, label } = parameter;
	if (!Number.isFinite(number) || number < min || number > max) {
		throw inputFailure(label, `is ${String(value)}`, `Enter a number from ${min} to ${max}.`);
	}
	return String(number);
}
