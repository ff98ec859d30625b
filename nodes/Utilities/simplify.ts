import type { IDataObject } from 'n8n-workflow';
import { asRecord, entryOf, numberOf, textOr, timeOf } from '../shared/values';
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
/** The largest number that is no moment: in seconds, it would be before 1974. */
const NO_MOMENT = 1e8;
const IS_ISO = /^\d{4}-\d\d-\d\dT[\d:.]{8,12}Z$/;
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
		name.endsWith(MOMENT) ? isoMoment(value) : value,
	]);
	return Object.fromEntries(fields) as IDataObject;
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
 * The fields that the catalogue names; undefined when at least half of them are missing, because then the response is
 * another one and most of it would be lost.
 */
function designed(fields: OutputField[], sources: Sources, output: UtilityOutput): IDataObject | undefined {
	const found = fields.map(fieldOf).map((field) => ({
		field,
		isOwn: !field.paths.every(isAround),
		value: valueOf(field.name, field.paths, sources, output),
	}));
	const own = found.filter(({ isOwn }) => isOwn);
	const present = own.filter(({ value }) => value !== undefined);
	if (present.length === 0 || 2 * present.length < own.length) return undefined;
	const entries = found
		.filter(({ value }) => value !== undefined)
		.map(({ field, value }) => [shownName(field, value, sources), value]);
	return Object.fromEntries(entries) as IDataObject;
}

/** The first value that is not empty, or else the first one. */
function valueOf(name: string, paths: string[], sources: Sources, output: UtilityOutput): unknown {
	const found = paths
		.flatMap(withTwin)
		.map((path) => ({ path, value: valueAt(path, sources) }))
		.filter(({ value }) => value !== undefined);
	const { path, value } = found.find((one) => one.value !== null && one.value !== '') ?? found[0] ?? {};
	if (!Array.isArray(value)) return name.endsWith(MOMENT) ? isoMoment(value) : plain(value);
	const entryFields = path === name ? entryOf(output.lists ?? {}, name) : undefined;
	return entryFields
		? simplifiedList(value, entryFields, sources.around, output)
		: joined(name, value, output);
}

/** Moments come twice (interface, 4.13, rule 3): the readable text takes the place of a number that is missing. */
function withTwin(path: string): string[] {
	return path.endsWith(MOMENT) ? [path, path.slice(0, -MOMENT.length)] : [path];
}

/** The name of a moment promises an ISO time; a readable text that took its place keeps its own name. */
function shownName({ name, paths }: Field, value: unknown, sources: Sources): string {
	const isReadable = name.endsWith(MOMENT) && typeof value === 'string' && !IS_ISO.test(value);
	const isTwin = isReadable && paths.every((path) => valueAt(path, sources) === undefined);
	return isTwin ? name.slice(0, -MOMENT.length) : name;
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
	return list.map((entry) => {
		const record = asRecord(entry) as IDataObject | undefined;
		return record ? simplifyEntry(record, around, ownFields(fields), output) : entry;
	});
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
 * A moment as an ISO time. A text without a time zone stays as it is, because any zone would be a guess, and so does
 * what is no moment.
 */
function isoMoment(value: unknown): unknown {
	const count = numberOf(value);
	const isMoment = count === undefined ? HAS_ZONE.test(textOr(value)) : count > NO_MOMENT;
	return isMoment ? (timeOf(value) ?? value) : value;
}
