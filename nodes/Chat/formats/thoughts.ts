import type { Fields } from '../../shared/plain/values';

/** Keeps what a model has said before it called tools. Models that reason refuse the results of their calls without it. */
export interface Thoughts {
	model: string;
	/** The parts of the answer, in its order, with the fields that the format takes back. */
	parts: AnswerPart[];
	/** The fields of the message. */
	fields: Fields;
}

export interface AnswerPart {
	/** The ID of the call that the part is; undefined for anything else. */
	callId?: string;
	fields: Fields;
}

/** The fields of the part that a call was. */
export function fieldsOfCall(thoughts: Thoughts | undefined, id: string): Fields {
	return thoughts?.parts.find(({ callId }) => callId === id)?.fields ?? {};
}

/** Parts with the IDs that their calls have got, in the same order. @param isCall whether a part is a call with a name */
export function withCallIds(
	parts: Fields[],
	ids: string[],
	isCall: (part: Fields) => boolean,
	fieldsOf: (part: Fields) => Fields,
): AnswerPart[] {
	let next = 0;
	return parts
		.map((part) => ({ ...(isCall(part) ? { callId: ids[next++] } : {}), fields: fieldsOf(part) }))
		.filter(({ callId, fields }) => callId !== undefined || Object.keys(fields).length > 0);
}

/** The fields with one of the names that are not empty. */
export function picked(fields: Fields, names: string[]): Fields {
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	return Object.fromEntries(
		Object.entries(fields).filter(([name, value]) => names.includes(name) && !isEmpty(value)),
	);
}
