import type { Fields } from './assembler';

/** What a model thought before it called tools. Models that reason refuse the results of their calls without it. */
export interface Thoughts {
	model: string;
	/** The blocks before the calls, in formats with blocks. */
	blocks: Fields[];
	/** The fields of the message. */
	fields: Fields;
	/** The fields of single calls by their ID. */
	ofCalls: Record<string, Fields>;
}

/** The fields of calls by the IDs that the calls have got, without calls that have none. */
export function thoughtsOfCalls(ids: string[], fields: Fields[]): Thoughts['ofCalls'] {
	const all = fields.map((ofCall, index): [string, Fields] => [ids[index] ?? '', ofCall]);
	return Object.fromEntries(all.filter(([, ofCall]) => Object.keys(ofCall).length > 0));
}

/** The fields with one of the names that are not empty. */
export function picked(fields: Fields, names: string[]): Fields {
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	return Object.fromEntries(
		Object.entries(fields).filter(([name, value]) => names.includes(name) && !isEmpty(value)),
	);
}
