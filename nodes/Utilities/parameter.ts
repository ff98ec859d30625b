import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../shared/failure/words';
import type { Call } from '../shared/run/call';
import { isTool } from '../shared/run/operation';
import { isUnset, pickedIn, toFlag, toNumber, toTextOrChoice } from '../shared/run/parameterReader';
import { asRecord, isoTime, toText, withoutFields } from '../shared/plain/values';
import type { UtilityParameter } from './catalogue/utility';
import { LET_AGENT_FILL } from './fields';

/** Tells whether a parameter is a field by itself; all others are in Options. */
export function isField({ required, upfront }: UtilityParameter): boolean {
	return required === true || upfront !== undefined;
}

const CATALOGUE_FIELDS = ['upfront', 'verbatim', 'keeps', 'otherNames', 'sentAs'];

/** Returns the definition of a parameter for the editor, without the fields that only the catalogue uses. */
export function definitionOf(parameter: UtilityParameter): INodeProperties {
	return withoutFields(parameter, CATALOGUE_FIELDS) as INodeProperties;
}

/**
 * Reads a parameter as the text to send; undefined if the request is sent without it. @param extra the names of Extra
 * Query Parameters, which may replace it @throws GatewayFailure (kind `input`) if it is missing or unusable
 */
export function readParameter(
	call: Call,
	parameter: UtilityParameter,
	extra: string[] = [],
): string | undefined {
	const text = textOf(call, parameter);
	const isForTool = isTool(call.context.getNode());
	const { type, options = [], displayName, name, required, upfront, otherNames = [] } = parameter;
	const isMissed = upfront === 'telling' && ![name, ...otherNames].some((one) => extra.includes(one));
	const isNeeded = required || (isForTool && isMissed);
	if (text === undefined && !isNeeded && isMissed) {
		call.hint(`${displayName} is empty, so the gateway chose it`);
	}
	if (text !== undefined || !isNeeded) return text;
	if (type === 'options' && parameter.default) return toText(parameter.default);
	const advice =
		type === 'options'
			? `Select one of ${options.map(({ name }) => name).join(', ')}.`
			: `Enter a value for ${displayName}.`;
	throw inputFailure(parameter, 'is empty', isForTool ? `${advice} ${LET_AGENT_FILL.displayName}` : advice);
}

function textOf(call: Call, parameter: UtilityParameter): string | undefined {
	const { type, verbatim, sentAs } = parameter;
	const value = valueOf(call, parameter);
	// The text to hash, or a password, may be a single space.
	if (verbatim ? toText(value) === '' : isUnset(value)) return undefined;
	switch (type) {
		case 'dateTime':
			return toDay(parameter, value, call.context.getTimezone());
		case 'number':
			return String(toNumber(value, parameter));
		case 'boolean': {
			const isOn = toFlag(value, parameter);
			if (sentAs === undefined) return String(isOn);
			return isOn ? sentAs : undefined;
		}
		case 'options':
			return toTextOrChoice(value, parameter);
		default:
			return verbatim ? toText(value) : toText(value).trim();
	}
}

function valueOf(call: Call, parameter: UtilityParameter): unknown {
	if (!isField(parameter)) return call.options.value(parameter);
	return parameter.type === 'resourceLocator' ? pickedIn(call.value(parameter)) : call.value(parameter);
}

/**
 * Returns the day as YYYY-MM-DD. A day that does not exist is rejected here, because a gateway may answer with the data
 * of another day (observed).
 */
function toDay(definition: INodeProperties, value: unknown, timeZone: string): string {
	const day = dayOf(value, timeZone);
	if (day !== undefined) return day;
	throw inputFailure(
		definition,
		`is not a date: "${String(value).slice(0, 40)}"`,
		'Select a day, or enter one as YYYY-MM-DD, for example 2026-01-31. Milliseconds with 13 digits are accepted as well.',
	);
}

/** Milliseconds since the epoch as spreadsheets write them, for any day between 2001 and 2286. */
const MILLISECONDS = /^\d{13}$/;

/** A day, possibly with a time of day. */
const DAY = /^(\d{4}-\d{2}-\d{2})([T ]\d{1,2}:\d{2}.*)?$/i;

/**
 * Returns the calendar day that a value means, as YYYY-MM-DD.
 *
 * The day of a text is used as it is: neither its time nor its offset shifts it. A moment, which is a `Date`, a count
 * of milliseconds, or a text in UTC (ending in `Z`), falls on a day of the workflow's time zone. Midnight in UTC is not
 * a moment, but a day without a time, because databases and JSON write days like that.
 *
 * @returns undefined for anything that is not a date, and for a day that does not exist
 */
export function dayOf(value: unknown, timeZone: string): string | undefined {
	if (value instanceof Date) return dayOfMoment(value, timeZone);
	const text = String(value).trim();
	if (MILLISECONDS.test(text)) return dayOfMoment(new Date(Number(text)), timeZone);
	const [, day, time = ''] = DAY.exec(text) ?? [];
	if (day === undefined || isoTime(Date.parse(`${day}T00:00Z`))?.startsWith(day) !== true) return undefined;
	return /z$/i.test(time) ? dayOfMoment(new Date(text), timeZone) : day;
}

function dayOfMoment(moment: Date, timeZone: string): string | undefined {
	const [day, time] = isoTime(moment.getTime())?.split('T') ?? [];
	if (day === undefined || time === '00:00:00.000Z') return day;
	// Swedish dates are written like this.
	return moment.toLocaleDateString('sv', { timeZone });
}

/** A parameter that names the entries of a list to keep, and its value. */
export interface Wanted {
	parameter: UtilityParameter;
	text: string;
}

/**
 * Returns the data of a response with only the wanted entries of its list. Data without the list stays as it is. @param
 * onNote gets a note about missing entries @throws GatewayFailure if none of the wanted entries is there
 */
export function wantedOf(
	data: unknown,
	{ parameter, text }: Wanted,
	onNote: (note: string) => void,
): unknown {
	const { list, field } = parameter.keeps!;
	const entries = asRecord(data)?.[list] as unknown[] | undefined;
	const names = text.split(/[\s,;，；、"'[\]]+/).filter((name) => name !== '');
	if (!Array.isArray(entries) || names.length === 0) return data;
	const nameOf = (entry: unknown) => toText(asRecord(entry)?.[field]).toLowerCase();
	const kept = names.map((name) => entries.filter((entry) => nameOf(entry) === name.toLowerCase()));
	const missing = names.filter((_, index) => kept[index].length === 0);
	if (missing.length > 0 && missing.length === names.length) {
		const failure = inputFailure(
			parameter,
			`names nothing that the response has ("${text}")`,
			'Check the spelling.',
		);
		// The request was sent, unlike with other failures of inputs.
		throw failure.with({ attempts: undefined });
	}
	if (missing.length > 0)
		onNote(`${parameter.displayName}: the response does not have ${missing.join(', ')}`);
	return { ...asRecord(data), [list]: [...new Set(kept.flat())] };
}
