import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { inputFailure } from '../shared/errors/errorMessages';
import { OUTPUT_FILE, SIMPLIFY } from '../shared/fields/options';
import { QUERY_NAME, QUERY_VALUE } from './queryFields';
import type { Call } from '../shared/run/call';
import { entriesOf } from '../shared/run/parameterReader';
import { asRecord, compareTexts, toText } from '../shared/plain/values';
import type { Encoding, UtilityOutput } from './catalogue/utility';

/** Each field lists the encodings of its endpoints and has their default. */
export const ENCODING = {
	displayName: 'Encoding',
	name: 'encoding',
	type: 'options',
	default: '',
	description: 'Format of the response',
} satisfies INodeProperties;

/** The names of the encodings in the editor. */
const ENCODING_NAMES: Record<Encoding, Omit<INodePropertyOptions, 'value'>> = {
	html: { name: 'HTML', description: 'A web page as text' },
	image: { name: 'Image', description: 'An image from the address that the gateway returns' },
	'image-proxy': { name: 'Image via Gateway', description: 'An image that the gateway itself sends' },
	json: { name: 'JSON', description: 'Fields that later nodes can use' },
	markdown: { name: 'Markdown', description: 'Text with Markdown formatting' },
	text: { name: 'Text', description: 'Plain text, ready to read' },
};

export const ENCODINGS = Object.keys(ENCODING_NAMES) as Encoding[];

/** Encodings as options of the editor, in alphabetical order. */
export function encodingOptions(
	encodings: Encoding[],
	others: INodePropertyOptions[] = [],
): INodePropertyOptions[] {
	const options = [...encodings.map((value) => ({ value, ...ENCODING_NAMES[value] })), ...others];
	return options.sort((one, other) => compareTexts(one.name, other.name));
}

/** Some endpoints have another default. */
export const SPLIT_OUT_LISTS = {
	displayName: 'Split Out Lists',
	name: 'splitOutLists',
	type: 'boolean',
	default: false,
	description: 'Whether to return one item per entry of the list in the response, instead of a single item',
} satisfies INodeProperties;

const TEXT_AND_FILES = ENCODINGS.filter((encoding) => encoding !== 'json');

/** Entry of Options. */
export const LIST_TO_SPLIT_OUT = {
	displayName: 'List to Split Out',
	name: 'listToSplitOut',
	type: 'string',
	default: '',
	placeholder: 'e.g. hourly_forecast',
	displayOptions: {
		show: { '/splitOutLists': [true], '/simplify': [true] },
		hide: { '/encoding': TEXT_AND_FILES },
	},
	description:
		'Name of the list to split out when the response contains several. Leave empty for the main list.',
} satisfies INodeProperties;

/** How the response of one item is output. */
export interface OutputSettings {
	/** Name of the binary field for a file. */
	fileField: string;
	/** Output what a user needs of the response instead of the whole of it. */
	simplify: boolean;
	splitOutLists: boolean;
	/** Name of the list to split out; empty for the main list. */
	wantedList: string;
}

/**
 * The editor hides some of these parameters for the chosen encoding, but the response may have another one.
 *
 * @param output what the catalogue says about the endpoint, if it is in the catalogue
 */
export function readOutputSettings(call: Call, output: UtilityOutput | undefined): OutputSettings {
	const fileField = call.value(OUTPUT_FILE);
	const { canSplit, canChoose } = output ? listSettingsOf(output) : { canSplit: true, canChoose: true };
	return {
		fileField: (typeof fileField === 'object' ? '' : toText(fileField).trim()) || OUTPUT_FILE.default,
		simplify: isHidden(call.value(SIMPLIFY)) || call.flag(SIMPLIFY),
		splitOutLists: canSplit && call.flag(SPLIT_OUT_LISTS),
		wantedList: canChoose ? call.options.text(LIST_TO_SPLIT_OUT) : '',
	};
}

/** Whether an endpoint has a list to split out, and whether it has several to choose from. */
export function listSettingsOf({ lists = {} }: UtilityOutput): { canSplit: boolean; canChoose: boolean } {
	const count = Object.keys(lists).length;
	return { canSplit: count > 0, canChoose: count > 1 };
}

/** Whether n8n has no value for a parameter, because the editor does not show it. */
function isHidden(value: unknown): boolean {
	return value === undefined || value === null;
}

/** Query parameters in order; a name may occur several times. */
export type QueryPairs = Array<[name: string, value: string]>;

/**
 * The entries in the value of a {@link queryField}, in order. Entries without a name and without a value are skipped.
 *
 * @throws GatewayFailure (kind `input`) for a value without a name
 */
export function queryPairs(value: unknown, definition: INodeProperties): QueryPairs {
	return entriesOf(value, definition).flatMap((entry, index): QueryPairs => {
		const pair = asRecord(entry);
		const name = toText(pair?.[QUERY_NAME.name]).trim();
		const text = toText(pair?.[QUERY_VALUE.name]);
		if (name !== '') return [[name, text]];
		if (text === '') return [];
		throw inputFailure(
			definition,
			`has no name in entry ${index + 1}`,
			'Enter the name of the parameter, or remove the entry.',
		);
	});
}
