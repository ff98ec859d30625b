import type { IDataObject } from 'n8n-workflow';
import { inputFailure } from '../shared/errors/errorMessages';
import { asRecord } from '../shared/values';
import type { JsonContent } from './envelope';

/** How JSON answers become items. */
export interface ItemsSettings {
	/** Keep the envelope around the payload. */
	fullResponse: boolean;
	splitOutLists: boolean;
	/** Name of the list that the user wants to be split out; empty for the one that the answer is about. */
	wantedList: string;
	/** Name of the list that the endpoint is about, if the catalogue knows one. */
	usualList?: string;
}

/** An item that stands for an answer without content. */
export function emptyItem(): IDataObject {
	return { text: '', empty: true, message: 'The gateway has no content for this request' };
}

/**
 * The items of a JSON answer: one, or one for each entry of its list.
 *
 * @throws GatewayFailure (kind `input`) when the list that is wanted is not there
 */
export function toItems(content: JsonContent, settings: ItemsSettings): IDataObject[] {
	const { data } = content;
	if (isEmpty(data)) return [settings.fullResponse ? wrapped(content, data) : emptyItem()];
	const list = settings.splitOutLists ? listIn(data, settings) : undefined;
	const payloads = list ? list.entries.map((entry) => asObject(entry, list.name)) : [asObject(data, 'data')];
	return settings.fullResponse
		? (list?.entries ?? [data]).map((payload) => wrapped(content, payload))
		: payloads;
}

interface NamedList {
	name: string;
	entries: unknown[];
}

/** The list that an answer is about: the payload itself, the one of the catalogue, or its longest one. */
function listIn(data: unknown, { wantedList, usualList }: ItemsSettings): NamedList | undefined {
	if (Array.isArray(data)) return { name: 'value', entries: data };
	const lists = Object.entries(asRecord(data) ?? {})
		.filter((field): field is [string, unknown[]] => Array.isArray(field[1]))
		.map(([name, entries]) => ({ name, entries }));
	if (wantedList) {
		return lists.find(({ name }) => name === wantedList) ?? missingList(wantedList, lists);
	}
	const usual = lists.find(({ name }) => name === usualList);
	return usual ?? lists.sort((one, other) => other.entries.length - one.entries.length)[0];
}

function missingList(wanted: string, lists: NamedList[]): never {
	const names = lists.map(({ name }) => name).join(', ');
	throw inputFailure(
		'List to Split Out',
		`names a list that the answer does not have ("${wanted}")`,
		names ? `The answer has these lists: ${names}.` : 'The answer has no list: switch Split Out Lists off.',
	);
}

function asObject(value: unknown, name: string): IDataObject {
	return (asRecord(value) ?? { [name]: value }) as IDataObject;
}

function wrapped({ body, enveloped }: JsonContent, payload: unknown): IDataObject {
	return { ...(enveloped ? asRecord(body) : {}), data: payload } as IDataObject;
}

function isEmpty(data: unknown): boolean {
	return data === undefined || data === null || data === '';
}
