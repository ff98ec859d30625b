import type { INodeProperties } from 'n8n-workflow';
import { inputFailure } from '../shared/errors/errorMessages';
import { pickerField } from '../shared/fields/picker';
import type { Call } from '../shared/runtime/call';
import { toNumber } from '../shared/runtime/parameterReader';
import { toText } from '../shared/values';
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
		case 'presence':
			// A switch is added to Options in order to turn it on.
			return { ...definition, type: 'boolean', default: true };
		case 'list':
			return { ...definition, type: 'options', options: parameter.choices, default: parameter.default };
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
	if (text === undefined && parameter.required) {
		throw inputFailure(definitionOf(parameter), 'is empty', `Enter a value for ${parameter.label}.`);
	}
	return text;
}

function textOf(call: Call, parameter: UtilityParameter): string | undefined {
	const definition = definitionOf(parameter);
	const value = valueOf(call, parameter, definition);
	if (parameter.type === 'presence') return isTrue(value) ? parameter.value : undefined;
	if (toText(value).trim() === '') return undefined;
	switch (parameter.type) {
		case 'date':
			return toDay(definition, value, call.context.getTimezone());
		case 'number':
			return String(toNumber(value, definition));
		case 'switch':
			return String(isTrue(value));
		case 'list':
			return toChoice(definition, toText(value), parameter.choices);
		case 'picker':
			return toText(value).trim();
		case 'text':
			return toText(value);
	}
}

function valueOf(call: Call, parameter: UtilityParameter, definition: INodeProperties): unknown {
	if (!isField(parameter)) return call.options.value(definition);
	return parameter.type === 'picker' ? call.pickedOrEmpty(definition) : call.value(definition);
}

/** Expressions may return the word instead of the value. */
function isTrue(value: unknown): boolean {
	return value === true || value === 'true';
}

/**
 * The day as YYYY-MM-DD. The day of a text is used as it is; its time and zone do not shift it. A day that does not
 * exist is rejected here because a gateway may answer it with the data of another day (observed).
 */
function toDay(definition: INodeProperties, value: unknown, timeZone: string): string {
	const text = value instanceof Date ? dayOf(value, timeZone) : String(value).trim();
	const day = /^(\d{4}-\d{2}-\d{2})($|[T ])/.exec(text)?.[1];
	const time = Date.parse(`${day}T00:00:00Z`);
	if (!day || Number.isNaN(time) || !new Date(time).toISOString().startsWith(day)) {
		throw inputFailure(
			definition,
			`is not a date: "${text.slice(0, 40)}"`,
			'Select a day, or enter one as YYYY-MM-DD, for example 2026-01-31.',
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

function toChoice(definition: INodeProperties, text: string, choices: Array<{ value: string }>): string {
	if (choices.some(({ value }) => value === text)) return text;
	const allowed = choices.map(({ value }) => value).join(', ');
	throw inputFailure(
		definition,
		`is "${text.slice(0, 40)}", which is not one of the choices`,
		`Choose one of: ${allowed}.`,
	);
}
