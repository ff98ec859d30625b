import type { GenericValue, IDataObject } from 'n8n-workflow';
import {
	asRecord,
	entryOf,
	isBlank,
	isoTime,
	momentOf,
	numberOf,
	textOr,
	withoutGaps,
} from '../shared/plain/values';
import type { OutputField, UtilityOutput } from './catalogue/utility';

/** Where the fields of an item come from. */
interface Sources {
	/** The response, or an entry of its list. */
	own: unknown;
	/** The response around the list. */
	around: unknown;
}

/** A field of simplified output, and where its value may be. */
interface Field {
	name: string;
	paths: string[];
}

/** Paths that start here begin with the response around the list. */
const AROUND = '^';
/** The end of the names of moments (interface, 4.13, rule 3). */
const MOMENT = '_at';
/** A smaller number is no moment, but a year, a count, or a sign that there is none. */
const LEAST_MOMENT = 1e6;
/** How far apart the readable text of a moment may seem to be, because its time zone is unknown. */
const TWO_DAYS_MS = 2 * 24 * 3_600_000;
const HAS_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]{0,20} ?(Z|[+-]\d\d:?\d\d)$/;

/**
 * The simplified item for an entry of a list. An entry of a shape that the catalogue does not know stays as it is, except that its times are ISO times.
 *
 * @param fields undefined for a list that the catalogue does not have
 */
export function simplifyEntry(
	entry: IDataObject,
	around: unknown,
	fields: OutputField[] | undefined,
	output: UtilityOutput = {},
): IDataObject {
	return designed(fields ?? [], { own: entry, around }, output) ?? withMoments(entry);
}

/** The simplified item for a whole response. A response of an unknown shape keeps all of its fields. */
export function simplifyWhole(data: IDataObject, output: UtilityOutput = {}): IDataObject {
	const fields = fieldsOfWhole(output);
	const lists = Object.keys(output.lists ?? {}).filter((name) => fields.includes(name));
	if (lists.length > 0 && !lists.some((name) => Array.isArray(data[name]))) return withMoments(data);
	return designed(fields, { own: data, around: data }, output) ?? withMoments(data);
}

/** An item of an unknown shape, with ISO times. */
function withMoments(item: IDataObject): IDataObject {
	const fields = Object.entries(item).map(([name, value]) => [
		name,
		name.endsWith(MOMENT) ? shownMoment(value, item[twinOf(name)]) : value,
	]);
	return withoutGaps(Object.fromEntries(fields) as IDataObject);
}

/** The fields of an item for the whole response. */
export function fieldsOfWhole({ fields, lists = {} }: UtilityOutput): OutputField[] {
	if (fields) return fields;
	const [main = []] = Object.values(lists);
	const shared = main
		.map(fieldOf)
		.map(({ name, paths }) => ({ name, paths: paths.filter(isAround).map((path) => path.slice(1)) }))
		.filter(({ paths }) => paths.length > 0)
		.map(({ name, paths }): OutputField => [name, ...paths]);
	return [...shared, ...Object.keys(lists)];
}

/** The name of a field of simplified output. */
export function nameOf(field: OutputField): string {
	return fieldOf(field).name;
}

function fieldOf(field: OutputField): Field {
	if (typeof field !== 'string') return { name: field[0], paths: field.slice(1) };
	return { name: field.slice(field.lastIndexOf('.') + 1).replace(AROUND, ''), paths: [field] };
}

function isAround(path: string): boolean {
	return path.startsWith(AROUND);
}

/**
 * The fields that the catalogue names; undefined when at least half of them are missing, or the text of a one-liner,
 * because then the response is another one and most of it would be lost.
 */
function designed(fields: OutputField[], sources: Sources, output: UtilityOutput): IDataObject | undefined {
	const found = fields.map(fieldOf).map((field) => ({
		...field,
		isOwn: !field.paths.every(isAround),
		values: field.name.endsWith(MOMENT) ? timesOf(field, sources) : valueOf(field, sources, output),
	}));
	const own = found.filter(({ isOwn }) => isOwn);
	const present = own.filter(({ values }) => values !== undefined);
	if (present.length === 0 || 2 * present.length < own.length) return undefined;
	if (own[0].name === 'text' && own[0] !== present[0]) return undefined;
	return Object.assign({}, ...found.map(({ values }) => values)) as IDataObject;
}

/** A field with the first value that is not empty, or else the first one; undefined for none. */
function valueOf({ name, paths }: Field, sources: Sources, output: UtilityOutput): IDataObject | undefined {
	const found = paths
		.map((path) => ({ path, value: valueAt(path, sources) }))
		.filter(({ value }) => value !== undefined);
	if (found.length === 0) return undefined;
	const { path, value } = found.find((one) => !isEmpty(plain(one.value))) ?? found[0];
	if (path.endsWith(MOMENT)) return withoutGaps({ [name]: isoMoment(value) });
	if (!Array.isArray(value)) return { [name]: plain(value) } as IDataObject;
	const entryFields = path === name ? entryOf(output.lists ?? {}, name) : undefined;
	const list = entryFields
		? simplifiedList(value, entryFields, sources.around, output)
		: joined(name, value, output);
	return { [name]: list } as IDataObject;
}

/** Whether another path may have more. An object without a name is empty if the fields before it are, as in a private contact. */
function isEmpty(value: unknown): boolean {
	return value === null || value === '' || asRecord(value) !== undefined;
}

/**
 * A moment comes twice (interface, 4.13, rule 3): as an ISO time, and as the readable text beside it, which may be the
 * local time of a place.
 */
function timesOf({ name, paths }: Field, sources: Sources): IDataObject | undefined {
	const found = paths
		.map((path) => ({ value: valueAt(path, sources), twin: valueAt(twinOf(path), sources) }))
		.filter(({ value, twin }) => value !== undefined || twin !== undefined);
	if (found.length === 0) return undefined;
	const { value, twin } =
		found.find((one) => isoMoment(one.value, one.twin) ?? readableOf(one.twin)) ?? found[0];
	return withoutGaps({ [name]: shownMoment(value, twin), [twinOf(name)]: readableOf(twin) });
}

/** A moment as an ISO time. A number that is none is left out, and so is anything else beside a readable text. */
function shownMoment(value: unknown, twin: unknown): GenericValue {
	const isLeftOut = numberOf(value) !== undefined || readableOf(twin) !== undefined;
	return isoMoment(value, twin) ?? isoMoment(twin) ?? (isLeftOut ? undefined : (value as GenericValue));
}

/** The name or the path of the readable text beside a moment. */
function twinOf(path: string): string {
	return path.slice(0, -MOMENT.length);
}

function readableOf(value: unknown): string | undefined {
	const text = textOr(value);
	return isBlank(text) || numberOf(text) !== undefined ? undefined : text;
}

/** The value at a path of an entry, or of the response around it. */
function valueAt(path: string, { own, around }: Sources): unknown {
	return isAround(path) ? at(path.slice(1), around) : at(path, own);
}

/** The value at a path; undefined for none. */
function at(path: string, source: unknown): unknown {
	const parts = path.split('.');
	return parts.reduce(step, source);
}

function step(value: unknown, part: string): unknown {
	if (!Array.isArray(value)) return entryOf(asRecord(value) ?? {}, part);
	const values = value.map((entry) => step(entry, part)).filter((entry) => entry !== undefined);
	return values.length === 0 && value.length > 0 ? undefined : values;
}

/** A list that can be split out, in one item. */
function simplifiedList(
	list: unknown[],
	fields: OutputField[],
	around: unknown,
	output: UtilityOutput,
): unknown[] {
	const records = list.map((entry) => asRecord(entry) as IDataObject | undefined);
	const items = records.map((record) =>
		record ? simplifyEntry(record, around, ownFields(fields), output) : {},
	);
	return withNumbers(items, output).map((item, index) => (records[index] ? item : list[index]));
}

/** An object that has a name, such as an album or an artist, is that name. */
function plain(value: unknown): unknown {
	const name = asRecord(value)?.name;
	return typeof name === 'string' && name !== '' ? name : value;
}

/** A list of texts, numbers, and names as one text. */
function joined(name: string, list: unknown[], { lines = [] }: UtilityOutput): unknown {
	const texts = list.map(plain);
	if (texts.some((entry) => typeof entry === 'object' && entry !== null)) return list;
	return texts.join(lines.includes(name) ? '\n' : ', ');
}

/** The fields that a list inside a whole response does not share with it. */
function ownFields(fields: OutputField[]): OutputField[] {
	return fields.filter((field) => !fieldOf(field).paths.every(isAround));
}

/**
 * A moment as an ISO time; undefined for what is none, and for a text without a time zone, because any zone would be a
 * guess. A number counts milliseconds (interface, 4.13, rule 3), or seconds if it has at most ten digits, unless the
 * readable text beside it shows the unit; 0 stands for none.
 */
function isoMoment(value: unknown, readable?: unknown): string | undefined {
	const count = numberOf(value);
	if (count === undefined) {
		const text = textOr(value);
		return HAS_ZONE.test(text) ? isoTime(Date.parse(text)) : undefined;
	}
	if (count === 0) return undefined;
	const near = Date.parse(textOr(readable));
	const shown = [count, count * 1000].find((time) => Math.abs(time - near) < TWO_DAYS_MS);
	if (shown !== undefined) return isoTime(shown);
	return Math.abs(count) < LEAST_MOMENT ? undefined : momentOf(count);
}

/** Items in which these fields are numbers where all of them are, although some gateways send them as texts. */
export function withNumbers(items: IDataObject[], { numbers = [] }: UtilityOutput): IDataObject[] {
	const isNumber = (value: unknown) => value === undefined || value === null || numberOf(value) !== undefined;
	const names = numbers.filter((name) => items.every((item) => isNumber(item[name])));
	return items.map((item) => {
		const fields = names.map((name) => [name, numberOf(item[name]) ?? item[name]]);
		return withoutGaps({ ...item, ...(Object.fromEntries(fields) as IDataObject) });
	});
}
