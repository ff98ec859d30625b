import { inputFailure } from '../shared/errors/errorMessages';
import { customEndpoint, utilityEndpoint, type Endpoint } from '../shared/gateway/endpoints';
import type { OwnUrl } from '../shared/gateway/ownUrl';
import type { Encoding, Utility, UtilityParameter } from './catalogue/utility';

/** A request to a utility endpoint. */
export interface UtilityRequest {
	endpoint: Endpoint;
	query: Array<[string, string]>;
}

/** What the editor's fields hold for one item. */
export interface UtilityInput {
	/** Value by the parameter's key; what is not set is left out of the request. */
	values: Record<string, unknown>;
	/** Undefined for an endpoint without encodings. */
	encoding: string | undefined;
	/** Where this gateway has the endpoint, if elsewhere than the interface says. */
	place: OwnUrl | undefined;
	/** Further query parameters, which win over the endpoint's own. */
	extraQuery: Array<[string, string]>;
	/** IANA name of the time zone in which an instant becomes a day. */
	timeZone: string;
}

/**
 * Builds the request of a utility endpoint (interface, 4.13) from what the editor's fields hold.
 *
 * @throws GatewayFailure (kind `input`) that names the parameter that is missing or not as allowed
 */
export function utilityRequest(utility: Utility, input: UtilityInput): UtilityRequest {
	const { place } = input;
	// Braces stand for parameters; reading the path has encoded them.
	let path = place ? place.path.replace(/%7B(\w+)%7D/g, '{$1}') : utility.path;
	const query: Array<[string, string]> = place ? [...place.query] : [];
	for (const parameter of utility.parameters) {
		const { key, label, required } = parameter;
		const text = toText(parameter, input.values[key], input.timeZone);
		if (text === undefined) {
			if (required) throw inputFailure(label, 'is empty', `Fill in ${label}.`);
		} else if (path.includes(`{${key}}`)) {
			path = path.replace(`{${key}}`, pathSegment(label, text));
		} else {
			query.push([key, text]);
		}
	}
	const encoding = allowedEncoding(utility.encodings, input.encoding);
	if (encoding) query.push(['encoding', encoding]);
	const endpoint = place ? customEndpoint('GET', path, place.area) : utilityEndpoint(path);
	return { endpoint, query: merged(query, input.extraQuery) };
}

/** One step of the path. Whatever could lead out of its place in the path is no identifier. */
function pathSegment(label: string, text: string): string {
	if (/^[\p{L}\p{N}_~-][\p{L}\p{M}\p{N}_.~ -]*$/u.test(text)) return encodeURIComponent(text);
	throw inputFailure(
		label,
		`is no identifier: "${text.toWellFormed().slice(0, 40)}"`,
		'Choose it from the list, or enter it as the gateway shows it: letters, digits, hyphens.',
	);
}

/** Names that stand in `extra` are taken from there only. */
function merged(query: Array<[string, string]>, extra: Array<[string, string]>): Array<[string, string]> {
	const names = new Set(extra.map(([name]) => name));
	return [...query.filter(([name]) => !names.has(name)), ...extra];
}

/** An unknown encoding would silently give the default one. */
function allowedEncoding(encodings: Encoding[], encoding: string | undefined): string | undefined {
	if (encoding === undefined || encodings.includes(encoding as Encoding)) return encoding;
	throw inputFailure(
		'Encoding',
		`is "${encoding}", which this operation does not offer`,
		`Choose one of: ${encodings.join(', ')}.`,
	);
}

function toText(parameter: UtilityParameter, value: unknown, timeZone: string): string | undefined {
	const { label, type } = parameter;
	if (type === 'presence') return isTrue(value) ? parameter.value : undefined;
	if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) {
		return undefined;
	}
	switch (type) {
		case 'date':
			return toDay(label, value, timeZone);
		case 'number':
			return toWholeNumber(parameter, value);
		case 'switch':
			return isTrue(value) ? 'true' : 'false';
		case 'list':
			return toChoice(parameter, value);
		case 'picker':
			return plainText(value).trim();
		case 'text':
			return plainText(value);
	}
}

function plainText(value: unknown): string {
	return typeof value === 'object' ? JSON.stringify(value) : `${value as string}`;
}

/** Expressions may give the word instead of the value. */
function isTrue(value: unknown): boolean {
	return value === true || value === 'true';
}

/**
 * The day as YYYY-MM-DD. A text counts as it stands: its time and zone do not shift it. A day that does not
 * exist is refused here, because a gateway may answer it with another day's data (observed).
 */
function toDay(label: string, value: unknown, timeZone: string): string {
	const text = value instanceof Date ? dayOf(value, timeZone) : String(value).trim();
	const day = /^(\d{4}-\d{2}-\d{2})($|[T ])/.exec(text)?.[1];
	const time = Date.parse(`${day}T00:00:00Z`);
	if (!day || Number.isNaN(time) || !new Date(time).toISOString().startsWith(day)) {
		throw inputFailure(
			label,
			`is not a date: "${text.slice(0, 40)}"`,
			'Pick a day, or enter one as YYYY-MM-DD, for example 2026-01-31.',
		);
	}
	return day;
}

function dayOf(instant: Date, timeZone: string): string {
	if (Number.isNaN(instant.getTime())) return 'Invalid Date';
	const parts = new Intl.DateTimeFormat('en', {
		timeZone,
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
	}).formatToParts(instant);
	return ['year', 'month', 'day'].map((type) => parts.find((part) => part.type === type)?.value).join('-');
}

function toWholeNumber(parameter: UtilityParameter & { type: 'number' }, value: unknown): string {
	const { label, min, max } = parameter;
	const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
	if (Number.isInteger(number) && number >= min && (max === undefined || number <= max))
		return String(number);
	throw inputFailure(
		label,
		`is ${plainText(value).slice(0, 40)}`,
		max === undefined
			? `Enter a whole number that is at least ${min}.`
			: `Enter a whole number from ${min} to ${max}.`,
	);
}

function toChoice({ label, choices }: UtilityParameter & { type: 'list' }, value: unknown): string {
	const text = plainText(value);
	if (choices.some((choice) => choice.value === text)) return text;
	const allowed = choices.map((choice) => choice.value).join(', ');
	throw inputFailure(label, `is "${text.slice(0, 40)}"`, `Choose one of: ${allowed}.`);
}
