import type { IDataObject, GenericValue } from 'n8n-workflow';
import { answerFailure, inputFailure } from '../shared/failure/words';
import { isContent, readErrorBody } from '../shared/failure/errorBody';
import { withGatewayWords } from '../shared/failure/statusWords';
import { toItem } from '../shared/run/operation';
import { asRecord, entryOf, isoTime, numberOf, textOr, timeOf, withoutGaps } from '../shared/plain/values';
import type { JsonContent } from './readUtility';
import type { OutputField, UtilityOutput } from './catalogue/utility';
import { LIST_TO_SPLIT_OUT, SPLIT_OUT_LISTS, type OutputSettings } from './fields';

const MAX_ITEMS = 50_000;

interface ItemsSettings extends Omit<OutputSettings, 'fileField'> {
	output?: UtilityOutput;
}

/** Returns the item for a response without content, with the gateway's message. */
export function emptyItem(body?: unknown): IDataObject {
	const words = readErrorBody(asRecord(body));
	return {
		text: '',
		empty: true,
		message: withGatewayWords('The gateway has no content for this request', words),
	};
}

/** Returns the items of a JSON response: one as the gateway sent it, a simplified one, or one for each list entry. */
export function toItems(content: JsonContent, settings: ItemsSettings): IDataObject[] {
	const { body, data } = content;
	const { simplify, splitOutLists, output } = settings;
	if (!simplify) return [toItem(body)];
	if (data === undefined || data === null || data === '') return [emptyItem(body)];
	const list = splitOutLists ? listIn(data, settings) : undefined;
	if (!list) {
		const whole = asObject(data, 'data');
		// Where a list should be, words such as "none" are no entry.
		const isNothing = splitOutLists && output?.lists !== undefined && !isContent(whole);
		return [isNothing ? emptyItem(body) : simplifyWhole(whole, output)];
	}
	const { name, entries, fields } = list;
	if (entries.length > MAX_ITEMS) {
		throw answerFailure(
			`its list has more than ${MAX_ITEMS} entries, so it cannot become items. Turn off ${SPLIT_OUT_LISTS.displayName}`,
		);
	}
	return entries.map((entry) => simplifyEntry(asObject(entry, name), data, fields, output));
}

interface NamedList {
	name: string;
	entries: unknown[];
	fields?: OutputField[];
}

/** Returns the list to split out: the payload itself, the chosen one, the endpoint's main list, or the longest one. */
function listIn(data: unknown, { wantedList, output = {} }: ItemsSettings): NamedList | undefined {
	const known = output.lists ?? {};
	const [[mainList, fields] = ['value', undefined]] = Object.entries(known);
	if (Array.isArray(data)) return { name: mainList, entries: data, fields };
	const lists = Object.entries(asRecord(data) ?? {})
		.filter((field): field is [string, unknown[]] => Array.isArray(field[1]))
		.map(([name, entries]): NamedList => ({ name, entries, fields: entryOf(known, name) }));
	if (wantedList) {
		return lists.find(({ name }) => name === wantedList) ?? missingList(wantedList, lists);
	}
	const main = lists.find(({ name }) => name === mainList);
	return main ?? lists.sort((one, other) => other.entries.length - one.entries.length)[0];
}

function missingList(wanted: string, lists: NamedList[]): never {
	const names = lists.map(({ name }) => name).join(', ');
	const failure = inputFailure(
		LIST_TO_SPLIT_OUT,
		`is "${wanted}", but the response has no such list`,
		names
			? `The response has these lists: ${names}.`
			: `The response has no list, so turn off ${SPLIT_OUT_LISTS.displayName}.`,
	);
	// The request was sent, unlike with other failures of inputs.
	throw failure.with({ attempts: undefined });
}

function asObject(value: unknown, name: string): IDataObject {
	return (asRecord(value) ?? { [name]: value }) as IDataObject;
}

interface Sources {
	own: unknown;
	around: unknown;
}

interface Field {
	name: string;
	paths: string[];
}

/** Paths with this prefix begin at the response around the list. */
const AROUND = '^';
/** The suffix of the names of moments (interface, 4.13, rule 3). */
const MOMENT = '_at';

/** Returns the simplified item for an entry of a list. In an entry of an unknown shape, only times change. */
export function simplifyEntry(
	entry: IDataObject,
	around: unknown,
	fields: OutputField[] = [],
	output: UtilityOutput = {},
): IDataObject {
	return designed(fields, { own: entry, around }, output) ?? withMoments(entry);
}

/** Returns the simplified item for a whole response. A response of an unknown shape keeps all of its fields. */
export function simplifyWhole(data: IDataObject, output: UtilityOutput = {}): IDataObject {
	const fields = fieldsOfWhole(output);
	const lists = Object.keys(output.lists ?? {}).filter((name) => fields.includes(name));
	if (lists.length > 0 && !lists.some((name) => Array.isArray(data[name]))) return withMoments(data);
	return designed(fields, { own: data, around: data }, output) ?? withMoments(data);
}

function withMoments(item: IDataObject): IDataObject {
	const fields = Object.entries(item).map(([name, value]) => {
		if (name.endsWith(MOMENT)) return [name, isoMoment(value)];
		return [name, name + MOMENT in item ? withZone(value, item[name + MOMENT]) : value];
	});
	return withoutGaps(Object.fromEntries(fields) as IDataObject);
}

/** Returns the fields of an item for the whole response. */
export function fieldsOfWhole({ fields, lists = {} }: UtilityOutput): OutputField[] {
	if (fields) return fields;
	const [main = []] = Object.values(lists);
	const shared = main
		.map(fieldOf)
		.filter(isAround)
		.map(({ name, paths }): OutputField => [name, ...paths.map((path) => path.slice(AROUND.length))]);
	return [...shared, ...Object.keys(lists)];
}

/** Returns a field of simplified output: its name, and the paths where its value may be. */
export function fieldOf(field: OutputField): Field {
	if (typeof field !== 'string') return { name: field[0], paths: field.slice(1) };
	return { name: field.slice(field.lastIndexOf('.') + 1).replace(AROUND, ''), paths: [field] };
}

function isAround({ paths }: Field): boolean {
	return paths[0].startsWith(AROUND);
}

/** Returns the fields that the catalogue names; undefined for another response, which lacks the first of them. */
function designed(fields: OutputField[], sources: Sources, output: UtilityOutput): IDataObject | undefined {
	const found = fields.map(fieldOf).map((field) => ({ field, values: valuesOf(field, sources, output) }));
	const own = found.find(({ field }) => !isAround(field));
	if (own?.values === undefined) return undefined;
	return Object.assign({}, ...found.map(({ values }) => values)) as IDataObject;
}

/** Returns a field with its first value that is not empty, and the text next to a moment; undefined without a value. */
function valuesOf({ name, paths }: Field, sources: Sources, output: UtilityOutput): IDataObject | undefined {
	const found = paths.map((path) => valueAt(path, sources)).filter((value) => value !== undefined);
	const value = found.find((one) => one !== null && one !== '') ?? found[0];
	if (name.endsWith(MOMENT)) {
		const readable = textOr(valueAt(twinOf(paths[0]), sources)) || undefined;
		if (value === undefined && readable === undefined) return undefined;
		return withoutGaps({ [name]: isoMoment(value), [twinOf(name)]: withZone(readable, value) as string });
	}
	if (value === undefined) return undefined;
	const list = paths[0] === name ? entryOf(output.lists ?? {}, name) : undefined;
	return {
		[name]: list ? entriesOf(value, list, sources, output) : plain(name, value, output),
	} as IDataObject;
}

/** Returns the name or the path of the readable text next to a moment. */
function twinOf(path: string): string {
	return path.slice(0, -MOMENT.length);
}

/** Turns a time since the epoch into an ISO time. 0, which stands for none, becomes undefined. Other values stay. */
function isoMoment(value: unknown): GenericValue {
	return numberOf(value) === undefined ? value || undefined : timeOf(value);
}

/** A time in Beijing (vikiboss/60s, `src/common.ts`) as services write it: 2026-08-21 00:03:27, 2026/08/21 00:03. */
const LOCAL_TIME = /^\d{4}[-/]\d{1,2}[-/]\d{1,2} \d{1,2}:\d\d(:\d\d)?$/;
const BEIJING_MS = 8 * 3_600_000;
/** The names of such times without a moment next to them. */
const TIMES = ['updated', 'datetime'];

/** Adds the offset to a time without a zone, using the moment next to it if there is one. Other values stay. */
export function withZone(value: unknown, moment?: unknown): unknown {
	if (typeof value !== 'string' || !LOCAL_TIME.test(value)) return value;
	const time = isoTime((numberOf(moment) || Date.parse(`${value} UTC`) - BEIJING_MS) + BEIJING_MS);
	return time === undefined ? value : `${time.slice(0, 19)}+08:00`;
}

/** Returns the value at a path that the catalogue names. */
export function valueAt(path: string, { own, around }: Sources): unknown {
	const [source, inside] = path.startsWith(AROUND) ? [around, path.slice(AROUND.length)] : [own, path];
	return inside.split('.').reduce(step, source);
}

function step(value: unknown, part: string): unknown {
	if (!Array.isArray(value)) return entryOf(asRecord(value) ?? {}, part);
	const values = value.map((entry) => step(entry, part)).filter((entry) => entry !== undefined);
	return values.length === 0 && value.length > 0 ? undefined : values;
}

/** Returns a list that can be split out for one item, without the fields that its entries share with the response. */
function entriesOf(
	list: unknown,
	fields: OutputField[],
	{ around }: Sources,
	output: UtilityOutput,
): unknown {
	if (!Array.isArray(list)) return list;
	const own = fields.filter((field) => !isAround(fieldOf(field)));
	return list.map((entry: unknown) => {
		const record = asRecord(entry) as IDataObject | undefined;
		return record ? simplifyEntry(record, around, own, output) : entry;
	});
}

/** Returns a list of texts as one text, a number that came as text as a number, and other values as they are. */
function plain(name: string, value: unknown, { lines = [], numbers = [] }: UtilityOutput): unknown {
	if (numbers.includes(name)) return numberOf(value) ?? value;
	if (TIMES.includes(name)) return withZone(value);
	if (!Array.isArray(value) || value.some((entry) => typeof entry === 'object' && entry !== null))
		return value;
	return value.join(lines.includes(name) ? '\n' : ', ');
}
