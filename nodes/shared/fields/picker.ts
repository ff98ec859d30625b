import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';
import { GatewayClient } from '../gateway/client';
import { toFailure } from '../errors/gatewayFailure';
import { fetchModels, fetchVoices } from '../gateway/voices';

interface PickerSettings {
	displayName: string;
	name: string;
	description: string;
	/** Name of the node's list search. */
	searchListMethod: string;
	/** Chosen when the node is new; empty for none. */
	defaultValue: string;
	/** Name under which the list shows the default; without it the default is entered as ID. */
	defaultName?: string;
	placeholder: string;
	/** Default true. */
	required?: boolean;
}

/** A parameter that picks one thing from a list of the gateway, or takes its name when the list is not to be had. */
export function pickerField(settings: PickerSettings): INodeProperties {
	const { displayName, name, description, searchListMethod, defaultValue, placeholder } = settings;
	const { required = true, defaultName } = settings;
	const mode = defaultValue && defaultName === undefined ? 'id' : 'list';
	const preset = { mode, value: defaultValue, ...(defaultName ? { cachedResultName: defaultName } : {}) };
	return {
		displayName,
		name,
		type: 'resourceLocator',
		required,
		default: preset,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'ID', name: 'id', type: 'string', placeholder },
		],
	};
}

/** The model picker of a node. */
export function modelField(defaultValue: string, placeholder: string): INodeProperties {
	return pickerField({
		displayName: 'Model',
		name: 'model',
		description:
			'The model that answers. The list holds the models that your key may use; names are case-sensitive.',
		searchListMethod: 'searchModels',
		defaultValue,
		placeholder,
	});
}

/** List search of `methods.listSearch`: models of the key whose id contains the filter. */
export async function searchModels(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const models = await listed(async () => await fetchModels(await GatewayClient.of(this), { maxRetries: 1 }));
	return {
		results: matching(
			filter,
			models.map(({ id }) => ({ name: id, value: id })),
		),
	};
}

/** List search of `methods.listSearch`: voices of the account whose name or description contains the filter. */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const voices = await listed(async () => await fetchVoices(await GatewayClient.of(this), { maxRetries: 1 }));
	const entries = voices.map(({ name, description }) => ({
		name: description ? `${name} (${description})` : name,
		value: name,
	}));
	return { results: matching(filter, entries) };
}

/**
 * Loads the list of a picker.
 *
 * @throws Error that says why there is no list, and that the ID mode works all the same
 */
export async function listed<T>(load: () => Promise<T>): Promise<T> {
	try {
		return await load();
	} catch (error) {
		const { message, description } = toFailure(error);
		throw listFailure(`${message}. ${description} You can also choose "ID" and enter the name.`);
	}
}

function listFailure(message: string): Error {
	return new Error(message);
}

/** The entries whose name contains the filter, whatever its case, sorted by name. */
export function matching<Entry extends { name: string }>(
	filter: string | undefined,
	entries: Entry[],
): Entry[] {
	const wanted = filter?.trim().toLowerCase() ?? '';
	return entries
		.filter(({ name }) => name.toLowerCase().includes(wanted))
		.sort((one, other) => one.name.localeCompare(other.name));
}
