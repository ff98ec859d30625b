import type { IDataObject } from 'n8n-workflow';
import { answerFailure, inputFailure } from '../shared/errors/errorMessages';
import { readErrorBody } from '../shared/errors/errorBody';
import { withGatewayWords } from '../shared/errors/statusFailure';
import { ITEMS } from '../shared/http/budgets';
import { asRecord } from '../shared/values';
import type { JsonContent } from './readUtility';
import { LIST_TO_SPLIT_OUT, SPLIT_OUT_LISTS, type OutputSettings } from './fields';

/** How JSON responses become items. */
export interface ItemsSettings extends Omit<OutputSettings, 'fileField'> {
	/** Name of the list that the endpoint is about, if it is known. */
	mainList?: string;
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
 * The items of a JSON response: a single one, or one for each entry of its list.
 *
 * @throws GatewayFailure (kind `input`) when the response does not have the wanted list
 */
export function toItems(content: JsonContent, settings: ItemsSettings): IDataObject[] {
	const { data } = content;
	if (isEmpty(data)) return [settings.fullResponse ? wrapped(content, data) : emptyItem(content.body)];
	const list = settings.splitOutLists ? listIn(data, settings) : undefined;
	if (list && list.entries.length > ITEMS) {
		throw answerFailure(
			`its list has more than ${ITEMS} entries, so it cannot become items. Turn off ${SPLIT_OUT_LISTS.displayName}`,
		);
	}
	const payloads = list ? list.entries.map((entry) => asObject(entry, list.name)) : [asObject(data, 'data')];
	return settings.fullResponse
		? (list?.entries ?? [data]).map((payload) => wrapped(content, payload))
		: payloads;
}

interface NamedList {
	name: string;
	entries: unknown[];
}

/** The list to split out: the payload itself, the wanted one, the endpoint's main list, or the longest one. */
function listIn(data: unknown, { wantedList, mainList }: ItemsSettings): NamedList | undefined {
	if (Array.isArray(data)) return { name: 'value', entries: data };
	const lists = Object.entries(asRecord(data) ?? {})
		.filter((field): field is [string, unknown[]] => Array.isArray(field[1]))
		.map(([name, entries]) => ({ name, entries }));
	if (wantedList) {
		return lists.find(({ name }) => name === wantedList) ?? missingList(wantedList, lists);
	}
	const main = lists.find(({ name }) => name === mainList);
	return main ?? lists.sort((one, other) => other.entries.length - one.entries.length)[0];
}

function missingList(wanted: string, lists: NamedList[]): never {
	const names = lists.map(({ name }) => name).join(', ');
	throw inputFailure(
		LIST_TO_SPLIT_OUT,
		`is "${wanted}", but the response has no such list`,
		names
			? `The response has these lists: ${names}.`
			: `The response has no list, so turn off ${SPLIT_OUT_LISTS.displayName}.`,
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
