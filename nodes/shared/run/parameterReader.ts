import type {
	IDataObject,
	IExecuteFunctions,
	IGetNodeParameterOptions,
	INodeProperties,
	INodePropertyOptions,
	ISupplyDataFunctions,
} from 'n8n-workflow';
import { OPTION_LISTS } from '../fields/options';
import { hostFailure } from '../failure/failure';
import { choiceFailure, inputFailure } from '../failure/words';
import { asRecord, isBlank, numberOf, toText } from '../plain/values';
import { parseJson } from '../plain/json';

/** The part of a parameter's definition that reading it needs; every `INodeProperties` is one. */
export type ParameterDefinition = Pick<INodeProperties, 'name' | 'displayName'> &
	Partial<Pick<INodeProperties, 'type' | 'default' | 'typeOptions' | 'options'>>;

/** Spares n8n a search for types that no parameter of these nodes has. The code that reads a value checks it. */
const WITHOUT_VALIDATION: IGetNodeParameterOptions = { skipValidation: true };

/** Reads the parameters of a node. It asks n8n once for one without an expression, so nobody may change the value. */
export class ParameterReader {
	private readonly fixed = new Map<string, unknown>();
	private readonly varying = new Set<string>();

	constructor(private readonly context: IExecuteFunctions | ISupplyDataFunctions) {}

	/** Reads a parameter for one item; null when the node does not show it, undefined for an empty cell. */
	read(name: string, itemIndex: number): unknown {
		if (this.fixed.has(name)) return this.fixed.get(name);
		const value = this.ask(name, itemIndex, WITHOUT_VALIDATION);
		if (!this.varying.has(name)) {
			const raw = this.ask(name, itemIndex, { rawExpressions: true });
			if (containsExpression(raw)) this.varying.add(name);
			else this.fixed.set(name, value);
		}
		return value === null && this.varying.has(name) ? undefined : value;
	}

	private ask(name: string, itemIndex: number, options: IGetNodeParameterOptions): unknown {
		try {
			return this.context.getNodeParameter(name, itemIndex, null, options);
		} catch (error) {
			throw hostFailure(error);
		}
	}

	options(itemIndex: number, lists = OPTION_LISTS): IDataObject {
		const values = lists.map(({ name }) => asRecord(this.read(name, itemIndex)));
		return Object.assign({}, ...values) as IDataObject;
	}
}

/** Tells whether a parameter, or anything in it, is an expression; n8n marks expressions with a leading "=". */
function containsExpression(raw: unknown): boolean {
	if (typeof raw === 'string') return raw.startsWith('=');
	return typeof raw === 'object' && raw !== null && Object.values(raw).some(containsExpression);
}

/** Returns the entries of a fixed collection with one kind of entry; none when it is empty or not shown. */
export function entriesOf(value: unknown, { options = [] }: ParameterDefinition): IDataObject[] {
	const [group] = options;
	const list = group && asRecord(value)?.[group.name];
	return Array.isArray(list) ? (list as IDataObject[]) : [];
}

/** Returns the value of a JSON parameter, parsed if it is text. @param parse `parseToSend` if the value is sent */
export function jsonValue(
	value: unknown,
	definition: ParameterDefinition,
	example: string,
	parse = parseJson,
): unknown {
	if (typeof value !== 'string') return value;
	const parsed = parse(value);
	if (parsed) return parsed.value;
	throw inputFailure(
		definition,
		'is not valid JSON',
		`Check commas, brackets, and quotation marks. The value should look like ${example}.`,
	);
}

/** Reads a number parameter, within the limits that the editor enforces. */
export function toNumber(value: unknown, definition: ParameterDefinition): number {
	const {
		minValue: min = Number.NEGATIVE_INFINITY,
		maxValue: max = Number.POSITIVE_INFINITY,
		numberPrecision,
	} = definition.typeOptions ?? {};
	const number = numberOf(value);
	if (number === undefined) {
		const isText = typeof value === 'string' && !isBlank(value);
		throw inputFailure(
			definition,
			isText ? `is not a number: "${value.slice(0, 40)}"` : 'is not a number',
			isText && /\d,\d/.test(value)
				? 'Enter a number without commas and with a decimal point, for example 8.5.'
				: 'Enter a number, or an expression that returns a number.',
		);
	}
	if (number < min || number > max) {
		const range = rangeInWords(min, max);
		throw inputFailure(definition, `is ${number}, but must be ${range}`, `Enter ${range}.`);
	}
	// In some countries, "1.000" is a thousand.
	if (numberPrecision === 0 && (!Number.isInteger(number) || /\.\d{3}$/.test(toText(value).trim()))) {
		const text = toText(value).trim();
		throw inputFailure(definition, `is ${text}, but must be a whole number`, 'Enter a whole number.');
	}
	return number;
}

function rangeInWords(min: number, max: number): string {
	if (max === Number.POSITIVE_INFINITY) return `${min} or more`;
	return min === Number.NEGATIVE_INFINITY ? `${max} or less` : `a number from ${min} to ${max}`;
}

/** The choice of a list that lets the user enter something else. */
const CUSTOM = 'custom';

/**
 * Returns the text of a parameter. For a list of choices, an expression may return a choice, its name, or nothing for
 * the default; any other text is accepted only if there is a choice Custom.
 */
export function toTextOrChoice(value: unknown, definition: ParameterDefinition): string {
	if (definition.type !== 'options') return toText(value);
	const choices = ((definition.options ?? []) as INodePropertyOptions[]).map((choice) => ({
		value: toText(choice.value),
		name: choice.name,
	}));
	const wanted = isUnset(value) ? toText(definition.default) : toText(value).trim();
	const plain = wanted.toLowerCase();
	const choice =
		choices.find((one) => one.value === wanted) ??
		choices.find((one) => [one.value, one.name].some((text) => text.toLowerCase() === plain));
	if (choice) return choice.value;
	if (choices.length === 0 || choices.some((one) => one.value === CUSTOM)) return wanted;
	throw choiceFailure(definition, wanted, `Select one of ${choices.map(({ name }) => name).join(', ')}.`);
}

/** Reads the choice in a resource locator; empty for none. */
export function pickedIn(value: unknown): string {
	const locator = asRecord(value);
	return toText(locator ? locator.value : value).trim();
}

/** Reads a switch as spreadsheets, forms, and databases write it; undefined for what is neither on nor off. */
export function flagOf(value: unknown): boolean | undefined {
	const text = toText(value).trim();
	if (/^(true|yes|1)$/i.test(text)) return true;
	return /^(false|no|0)$/i.test(text) ? false : undefined;
}

/** Reads the value of a switch. */
export function toFlag(value: unknown, definition: ParameterDefinition): boolean {
	const isOn = flagOf(value);
	if (isOn !== undefined) return isOn;
	throw inputFailure(
		definition,
		`is neither on nor off: "${toText(value).slice(0, 40)}"`,
		'Enter true or false. 1 and 0, and yes and no, are accepted as well.',
	);
}

/** Tells whether an expression returned nothing, such as the empty cell of a table. */
export function isUnset(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && isBlank(value));
}

/** The values of options. Without `OrDefault`, an option that was not added is undefined, empty, or false. */
export class OptionValues {
	constructor(private readonly values: IDataObject) {}

	value({ name }: ParameterDefinition): unknown {
		return this.values[name];
	}

	/** Returns text without surrounding white space; numbers from expressions become text. */
	text(definition: ParameterDefinition): string {
		const value = this.value(definition);
		// A list counts as no value; for choices, it fails instead, because it is none of them. A date is a text.
		const isObject = typeof value === 'object' && definition.type !== 'options';
		const saysNothing = isUnset(value) || (isObject && !('toJSON' in value!));
		return saysNothing ? '' : toTextOrChoice(value, definition).trim();
	}

	/** Returns the texts of an option with several values, each a text or a list; undefined when there is none. */
	texts(definition: ParameterDefinition): string[] | undefined {
		const texts = [this.value(definition)].flat(2).map(toText);
		const filled = texts.filter((text) => text !== '');
		return filled.length > 0 ? filled : undefined;
	}

	textOrDefault(definition: ParameterDefinition): string {
		return this.text(definition) || toText(definition.default);
	}

	number(definition: ParameterDefinition): number | undefined {
		const value = this.value(definition);
		return isUnset(value) ? undefined : toNumber(value, definition);
	}

	numberOrDefault(definition: ParameterDefinition): number {
		return this.number(definition) ?? (definition.default as number);
	}

	flag(definition: ParameterDefinition): boolean {
		const value = this.value(definition);
		return !isUnset(value) && toFlag(value, definition);
	}
}
