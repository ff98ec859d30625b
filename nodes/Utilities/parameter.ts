import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../shared/errors/errorMessages';
import { pickerField } from '../shared/fields/picker';
import type { Call } from '../shared/run/call';
import { isUnset, toFlag, toNumber, toTextOrChoice } from '../shared/run/parameterReader';
import { toText } from '../shared/plain/values';
import { dayOf } from './calendarDay';
import type { UtilityParameter } from './catalogue/utility';

/** Whether a parameter is a field of its own; the others are in Options. */
export function isField({ required, upfront }: UtilityParameter): boolean {
	return required === true || upfront === true;
}

/** The definition of a parameter of the catalogue, for the editor and for reading it. */
export function definitionOf(parameter: UtilityParameter): INodeProperties {
	const { key, label, description, required, placeholder } = parameter;
	const definition = { displayName: label, name: key, description, required, placeholder };
	switch (parameter.type) {
		case 'text': {
			const { lines, secret, default: preset = '' } = parameter;
			const typeOptions = { rows: lines, password: secret };
			return { ...definition, type: 'string', typeOptions, default: preset };
		}
		case 'date':
			return { ...definition, type: 'dateTime', default: '' };
		case 'switch':
			// A switch is added to Options in order to change something.
			return { ...definition, type: 'boolean', default: !parameter.usual };
		case 'presence':
			return { ...definition, type: 'boolean', default: true };
		case 'list': {
			const { choices, default: preset = '' } = parameter;
			return { ...definition, type: 'options', options: choices, default: preset };
		}
		case 'number': {
			const { min, max, default: preset = 0 } = parameter;
			const typeOptions = { minValue: min, maxValue: max, numberPrecision: 0 };
			return { ...definition, type: 'number', typeOptions, default: preset };
		}
		case 'picker':
			return pickerField({
				displayName: label,
				name: key,
				description,
				searchListMethod: parameter.search,
				defaultValue: parameter.default,
				defaultName: parameter.defaultName,
				placeholder: placeholder ?? '',
				required: required === true,
			});
	}
}

/**
 * A parameter as the text to send, or undefined when the request is sent without it.
 *
 * @throws GatewayFailure (kind `input`) when it is required and empty, or when its value is not allowed
 */
export function readParameter(call: Call, parameter: UtilityParameter): string | undefined {
	const text = textOf(call, parameter);
	if (text !== undefined || !parameter.required) return text;
	const advice =
		parameter.type === 'list'
			? `Select one of ${parameter.choices.map(({ name }) => name).join(', ')}.`
			: `Enter a value for ${parameter.label}.`;
	throw inputFailure(definitionOf(parameter), 'is empty', advice);
}

function textOf(call: Call, parameter: UtilityParameter): string | undefined {
	const definition = definitionOf(parameter);
	const value = valueOf(call, parameter, definition);
	// A space may be the very text to hash, or a password.
	const isVerbatim = parameter.type === 'text' && parameter.verbatim === true;
	if (isVerbatim ? toText(value) === '' : isUnset(value)) return undefined;
	switch (parameter.type) {
		case 'date':
			return toDay(definition, value, call.context.getTimezone());
		case 'number':
			return String(toNumber(value, definition));
		case 'switch':
			return String(toFlag(value, definition));
		case 'presence':
			return toFlag(value, definition) ? parameter.value : undefined;
		case 'list':
			return toTextOrChoice(value, definition);
		case 'picker':
		case 'text':
			return isVerbatim ? toText(value) : toText(value).trim();
	}
}

function valueOf(call: Call, parameter: UtilityParameter, definition: INodeProperties): unknown {
	if (!isField(parameter)) return call.options.value(definition);
	return parameter.type === 'picker' ? call.pickedOrEmpty(definition) : call.value(definition);
}

/**
 * The day as YYYY-MM-DD. A day that does not exist is rejected here because a gateway may answer it with the data of
 * another day (observed).
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
