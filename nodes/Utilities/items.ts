import type { IDataObject } from 'n8n-workflow';
import { answerFailure, inputFailure } from '../shared/errors/errorMessages';
import { readErrorBody } from '../shared/errors/errorBody';
import { withGatewayWords } from '../shared/errors/statusFailure';
import { ITEMS } from '../shared/plain/budgets';
import { toItem } from '../shared/run/rawAnswer';
import { asRecord, entryOf } from '../shared/plain/values';
import type { JsonContent } from './readUtility';
import type { OutputField, UtilityOutput } from './catalogue/utility';
import { LIST_TO_SPLIT_OUT, SPLIT_OUT_LISTS, type OutputSettings } from './fields';
import { simplifyEntry, simplifyWhole } from './simplify';

export interface ItemsSettings extends Omit<OutputSettings, 'fileField'> {
	output?: UtilityOutput;
}

/** The item for a response without content, with the words that the gateway has instead. */
export function emptyItem(body?: unknown): IDataObject {
	const words = readErrorBody(asRecord(body));
	return {
		text: '',
		empty: true,
		message: withGatewayWords('The gateway has no content for this request', words),
	};
}

/**
 * The items of a JSON response: the whole of it as the gateway sent it, or simplified as a single item or one for each
 * entry of its list.
 */
export function toItems(content: JsonContent, settings: ItemsSettings): IDataObject[] {
	const { body, data } = content;
	const { simplify, splitOutLists, output } = settings;
	if (!simplify) return [toItem(body)];
	if (data === undefined || data === null || data === '') return [emptyItem(body)];
	const list = splitOutLists ? listIn(data, settings) : undefined;
	if (!list) return [simplifyWhole(asObject(data, 'data'), output)];
	const { name, entries, fields } = list;
	if (entries.length > ITEMS) {
		throw answerFailure(
			`its list has more than ${ITEMS} entries, so it cannot become items. Turn off ${SPLIT_OUT_LISTS.displayName}`,
		);
	}
	return entries.map((entry) => simplifyEntry(asObject(entry, name), data, fields, output));
}

interface NamedList {
	name: string;
	entries: unknown[];
	fields?: OutputField[];
}

/** The list to split out: the payload itself, the wanted one, the endpoint's main list, or the longest one. */
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
	// The request was sent.
	throw failure.with({ attempts: undefined });
}

function asObject(value: unknown, name: string): IDataObject {
	return (asRecord(value) ?? { [name]: value }) as IDataObject;
}
