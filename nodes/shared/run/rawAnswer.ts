import type { IDataObject } from 'n8n-workflow';
import { approximateLength, asRecord } from '../plain/values';

/** A longer rest of an answer is only in the first of its items, because each of hundreds would repeat it. */
const MAX_REPEATED_LENGTH = 10_000;

/** Reduces what an answer says besides its items to what all but the first of them have of it. */
export function repeated(rest: Record<string, unknown>): Record<string, unknown> {
	return approximateLength(rest) > MAX_REPEATED_LENGTH ? {} : rest;
}

/** The item for an entry of an answer when Simplify is off, with the rest of the answer in `response`. */
export function rawItem(entry: unknown, rest: Record<string, unknown>): IDataObject {
	const fields = toItem(entry);
	if (Object.keys(rest).length === 0) return fields;
	return { ...fields, ['response' in fields ? 'wholeResponse' : 'response']: rest };
}

/** The items for all entries of an answer when Simplify is off; see {@link rawItem}. */
export function rawItems(entries: unknown[], rest: Record<string, unknown>): IDataObject[] {
	const others = repeated(rest);
	return entries.map((entry, index) => rawItem(entry, index === 0 ? rest : others));
}

/** The item for an answer that is not split: the answer as the gateway sent it; anything but an object is in `value`. */
export function toItem(value: unknown): IDataObject {
	return (asRecord(value) as IDataObject | undefined) ?? ({ value } as IDataObject);
}
