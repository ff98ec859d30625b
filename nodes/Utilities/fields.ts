import type {
	IDisplayOptions,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { inputFailure } from '../shared/failure/words';
import { INCLUDE_INPUT_FIELDS, optionFields, OUTPUT_FILE, SIMPLIFY } from '../shared/fields/options';
import { listed, matching } from '../shared/fields/picker';
import { OptionalFields } from '../shared/answer/optionalFields';
import { utilityEndpoint } from '../shared/send/endpoints';
import { ONE_RETRY } from '../shared/send/retry';
import type { Call } from '../shared/run/call';
import { entriesOf, isUnset } from '../shared/run/parameterReader';
import { asRecord, compareTexts, entryOf, textOr, toText } from '../shared/plain/values';
import type { Encoding } from './catalogue/utility';
import { failureInUtility, openEnvelope } from './readUtility';
import { flagField, noticeField, textField } from '../shared/fields/field';

/** The base of the fields for encodings. Each field lists the encodings of its endpoint and has their default. */
export const ENCODING = {
	displayName: 'Return As',
	name: 'encoding',
	type: 'options',
	default: '',
	description: 'Format of the response',
} satisfies INodeProperties;

const ENCODING_NAMES: Record<Encoding, Omit<INodePropertyOptions, 'value'>> = {
	html: { name: 'HTML', description: 'A web page as text' },
	image: { name: 'Image', description: 'An image from the address that the gateway returns' },
	'image-proxy': { name: 'Image via Gateway', description: 'An image that the gateway itself sends' },
	json: { name: 'JSON', description: 'Fields that later nodes can use' },
	markdown: { name: 'Markdown', description: 'Text with Markdown formatting' },
	text: { name: 'Text', description: 'Plain text, ready to read' },
};

export const ENCODINGS = Object.keys(ENCODING_NAMES) as Encoding[];

/** Returns encodings as options of the editor, in alphabetical order. */
export function encodingOptions(
	encodings: Encoding[],
	others: INodePropertyOptions[] = [],
): INodePropertyOptions[] {
	const options = [...encodings.map((value) => ({ value, ...ENCODING_NAMES[value] })), ...others];
	return options.sort((one, other) => compareTexts(one.name, other.name));
}

/** Returns a field that the editor shows only for these values of other fields. */
export function shownWith(show: IDisplayOptions['show'], field: INodeProperties): INodeProperties {
	return { ...field, displayOptions: { show } };
}

/** The binary field for an image, which a gateway may send even if no format is requested. */
export const FILE_FIELD = shownWith({ [ENCODING.name]: ['', 'image', 'image-proxy'] }, OUTPUT_FILE);

/** The default depends on the endpoint. */
export const SPLIT_OUT_LISTS = flagField(
	'Split Out Lists',
	'splitOutLists',
	'Whether to return one item per entry of the list in the response, instead of a single item',
	{ default: false },
);

export const LIST_TO_SPLIT_OUT = textField(
	'List to Split Out',
	'listToSplitOut',
	'Name of the list to split out when the response contains several. Leave empty for the main list.',
	{
		placeholder: 'e.g. hourly_forecast',
		displayOptions: {
			show: { '/splitOutLists': [true], '/simplify': [true] },
			hide: { '/encoding': ENCODINGS.filter((encoding) => encoding !== 'json') },
		},
	},
);

/** Tells the user of a tool that the agent fills in only the fields which it is allowed to. */
export const LET_AGENT_FILL = shownWith(
	{ '@tool': [true] },
	noticeField(
		'letAgentFillNotice',
		'The agent fills in only what you let it: click the sparkle button beside a field ("Let the model define this parameter").',
	),
);

/** Returns the lists of options of a utility. @param own the options that concern the endpoint */
export function utilityOptions(own: INodeProperties[]): INodeProperties[] {
	return optionFields(utilityEndpoint(''), { streams: true, pays: 'cost' }, [...own, INCLUDE_INPUT_FIELDS]);
}

/** Reads how to return the response, even where the editor hides it: the response may have another encoding. */
export function readOutputSettings(call: Call) {
	return {
		fileField: toText(call.value(OUTPUT_FILE)).trim() || OUTPUT_FILE.default,
		simplify: isUnset(call.value(SIMPLIFY)) || call.flag(SIMPLIFY),
		splitOutLists: call.flag(SPLIT_OUT_LISTS),
		/** Name of the list to split out; empty for the main list. */
		wantedList: call.options.text(LIST_TO_SPLIT_OUT),
	};
}

export type OutputSettings = ReturnType<typeof readOutputSettings>;

const QUERY_NAME = textField(
	'Name',
	'name',
	'Name of the parameter. Several parameters may have the same name.',
	{ placeholder: 'e.g. limit' },
);

const QUERY_VALUE = textField('Value', 'value', 'Value of the parameter', { placeholder: 'e.g. 10' });

/** Defines a parameter for the name-value pairs of a query. */
export function queryField(displayName: string, name: string, description: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add parameter',
		default: {},
		description,
		options: [{ displayName: 'Parameter', name: 'parameter', values: [QUERY_NAME, QUERY_VALUE] }],
	};
}

/** Query parameters in order; a name may occur several times. */
export type QueryPairs = Array<[name: string, value: string]>;

/** Reads the entries of a {@link queryField}, in order. Those without a value, such as empty cells, are skipped. */
export function queryPairs(value: unknown, definition: INodeProperties): QueryPairs {
	return entriesOf(value, definition).flatMap((entry, index): QueryPairs => {
		const name = toText(entry?.name).trim();
		const text = toText(entry?.value);
		if (text === '') return [];
		if (name !== '') return [[name, text]];
		throw inputFailure(
			definition,
			`has no name in entry ${index + 1}`,
			'Enter the name of the parameter, or remove the entry.',
		);
	});
}

/** Adds further pairs to a query. They replace all pairs with the same names. */
export function withPairs(query: QueryPairs, further: QueryPairs): QueryPairs {
	const names = new Set(further.map(([name]) => name));
	return [...query.filter(([name]) => !names.has(name)), ...further];
}

/** `methods.listSearch`: lists the languages whose English name, own name, or code contains the filter. */
export async function searchLanguages(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const languages = await fetchEntries(this, '/v2/apis/fanyi/langs', 'code', 'label');
	const entries = languages
		.filter(({ id }) => id !== 'auto')
		.map(({ id, name }) => ({ name: languageName(id, name), value: id }));
	return {
		results: [...matching(filter, [{ name: 'Automatic', value: 'auto' }]), ...matching(filter, entries)],
	};
}

/** `methods.listSearch`: lists the music charts of the gateway whose name contains the filter. */
export async function searchMusicCharts(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const charts = await fetchEntries(this, '/v2/apis/music-rank/list', 'id', 'name');
	const entries = charts.map(({ id, name }) => ({ name: name || id, value: id }));
	return { results: matching(filter, entries) };
}

/** Gets the entries of a list, each with its ID, which is a text or a number, and the gateway's name for it. */
async function fetchEntries(
	context: ILoadOptionsFunctions,
	path: string,
	idField: string,
	nameField: string,
): Promise<Array<{ id: string; name: string }>> {
	return await listed(context, async (client) => {
		const content = await client.json({ endpoint: utilityEndpoint(path), ...ONE_RETRY }, openEnvelope);
		const failure = failureInUtility(content, true, undefined);
		if (failure) throw failure;
		const fields = new OptionalFields();
		return fields.list(content.data, 'data', (entry, place) => {
			const about = asRecord(entry) ?? {};
			const id = fields.text(about[idField], `${place}.${idField}`);
			return id === undefined ? undefined : { id, name: textOr(about[nameField]) };
		});
	});
}

/** English names for language codes that only the gateway uses. */
const OWN_NAMES: Record<string, string> = {
	'zh-CHS': 'Chinese (Simplified)',
	'zh-CHT': 'Chinese (Traditional)',
};

function languageName(code: string, label: string): string {
	const name = entryOf(OWN_NAMES, code) ?? englishName(code);
	return [name, label, `(${code})`].filter((part) => part !== '').join(' ');
}

function englishName(code: string): string {
	try {
		return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) ?? '';
	} catch {
		return '';
	}
}
