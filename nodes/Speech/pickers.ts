import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listed, matching, withOnlyOne } from '../shared/fields/picker';
import { fetchVoices } from '../shared/send/lists';
import { ONE_RETRY } from '../shared/send/retry';

/** `methods.listSearch`: the voices of the account whose name or description contains the filter. */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const { entries: voices } = await listed(this, async (client) => await fetchVoices(client, ONE_RETRY));
	const entries = voices.map(({ name, description }) => ({
		name: description ? `${name} (${description})` : name,
		value: name,
	}));
	const found = matching(filter, entries);
	return { results: filter?.trim() ? found : withOnlyOne(found) };
}
