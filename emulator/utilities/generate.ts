import { words } from './answers.json';

/** The values of a template's placeholders, by name. */
export type Values = Record<string, unknown>;

/** One endpoint of `answers.json`. It answers as a comparable service was observed to answer. */
export interface Entry {
	/** The path or query of a request that succeeds; omitted if the path alone succeeds. */
	example?: string;
	required?: string[];
	/** The values of missing parameters. */
	defaults?: Asked;
	/** The encodings besides JSON, text, and markdown. */
	encodings?: string[];
	/** True if the answer is JSON in every encoding. */
	jsonOnly?: boolean;
	/** Another path whose answer has the same shape. */
	like?: string;
	title?: string;
	/** The whole text; default: the title and the lines. */
	text?: string;
	/** The line for an entry of the list; default: its title. */
	line?: string;
	/** The name of the list from which the lines are made; default: the first list. */
	list?: string;
}

type Asked = Record<string, string>;

const DAY_MS = 86_400_000;
// The service uses Chinese time: UTC+8, without daylight saving time.
const ZONE_MS = 8 * 3_600_000;
const MOMENT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Returns the date and time (`YYYY-MM-DD HH:mm:ss`) in China at a time in ms. */
export const readable = (ms: number) => new Date(ms + ZONE_MS).toISOString().slice(0, 19).replace('T', ' ');

/** Returns the date that is some days after another one. */
export const daysAfter = (date: string, days: number) =>
	new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

const valueAt = (values: Values, path: string) =>
	path.split('.').reduce((value: unknown, name) => (value as Values)[name], values);

/** A template with its values; one that is only a placeholder, such as `{target.text}`, becomes its value. */
export function fill(template: string, values: Values): unknown {
	const [match, path] = /^\{([\w.]+)\}$/.exec(template) ?? [];
	if (match && path !== 'picture') return valueAt(values, path);
	const pictureUrl = values.pictureUrl as (size: string) => string;
	return template
		.replace(/\{picture ?(\w*)\}/g, (_, size: string) => pictureUrl(size))
		.replace(/\{([\w.]+)\}/g, (_, name: string) => String(valueAt(values, name)));
}

/** Adds what differs from entry to entry of a list: its rank and its words, which change with the day as well. */
export function valuesAt(index: number, values: Values): Values {
	const date = values.date as string;
	const turn = Date.parse(date) / DAY_MS + index;
	const chosen: Values = {};
	for (const [name, list] of Object.entries(words)) chosen[name] = list[turn % list.length];
	const own = { index, rank: index + 1, hour: String(index % 24).padStart(2, '0') };
	return { ...values, ...chosen, ...own, nextDate: daysAfter(date, index) };
}

/** Makes a number smaller from entry to entry, even one in a text. */
function shrunk<Value extends number | string>(value: Value, share: number): Value {
	const [, before = '', digits = '', after = ''] =
		/^(¥?)([1-9]\d*(?:\.\d+)?)(\D*)$/.exec(String(value)) ?? [];
	if (!digits || share === 1) return value;
	const places = digits.split('.')[1]?.length ?? 0;
	const text = before + (Number(digits) * share).toFixed(places) + after;
	return (typeof value === 'number' ? Number(text) : text) as Value;
}

/**
 * Returns the data of an answer. A name with `*count` is a list whose entries differ in words, ranks, and numbers. A
 * time in words has its time in ms beside it.
 */
export function generate(template: unknown, values: Values, share = 1): unknown {
	if (typeof template === 'number') return shrunk(template, share);
	if (typeof template === 'string') return fill(shrunk(template, share), values);
	if (Array.isArray(template)) return template.map((part) => generate(part, values, share));
	if (typeof template !== 'object' || template === null) return template;
	const fields = Object.entries(template).flatMap(([key, part]) => {
		const [name, times] = key.split('*');
		if (times !== undefined) {
			const length = Number(fill(times, values));
			const entry = (_: unknown, index: number) =>
				generate(part, valuesAt(index, values), 1 - (0.6 * index) / length);
			return [[name, Array.from({ length }, entry)]];
		}
		const value = generate(part, values, share);
		if (typeof value !== 'string' || !MOMENT.test(value)) return [[name, value]];
		return [
			[name, value],
			[`${name}_at`, Date.parse(`${value}Z`) - ZONE_MS],
		];
	});
	return Object.fromEntries(fields) as Values;
}

/** Returns the lines for a list in the data; if it has none, for its fields. */
function linesOf({ list, line = '{title}' }: Entry, data: Values, values: Values): string[] {
	const wanted = Array.isArray(data) ? data : list ? data[list] : Object.values(data).find(Array.isArray);
	if (!Array.isArray(wanted))
		return Object.entries(data).map(([name, value]) => `${name} => ${String(value)}`);
	return wanted.map((entry: string | Values, index) => {
		const text = typeof entry === 'string' ? entry : fill(line, { ...values, ...entry });
		return `${index + 1}. ${String(text)}`;
	});
}

/** Returns the title of an answer, and the text below it. */
export function wording(entry: Entry, data: Values, values: Values): { title: string; body: string } {
	const known = { ...values, ...data, lines: linesOf(entry, data, values).join('\n') };
	const say = (template: string) => String(fill(template, known));
	return { title: say(entry.title ?? ''), body: say(entry.text ?? '{lines}') };
}
