import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listed, matching } from '../shared/fields/picker';
import { OptionalFields } from '../shared/answer/optionalFields';
import { utilityEndpoint } from '../shared/send/endpoints';
import { ONE_RETRY } from '../shared/send/retry';
import { asRecord, entryOf, textOr } from '../shared/plain/values';
import { failureInUtility, openEnvelope } from './readUtility';

/** `methods.listSearch`: the languages whose English name, own name, or code contains the filter. */
export async function searchLanguages(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const languages = await fetchEntries(this, '/v2/apis/fanyi/langs', 'code', 'label');
	const entries = languages
		.filter(({ id }) => id !== 'auto')
		.map(({ id, name }) => ({ name: languageName(id, name), value: id }));
	return {
		results: [...matching(filter, [{ name: 'Automatic', value: 'auto' }]), ...matching(filter, entries)],
	};
}

/** `methods.listSearch`: the music charts of the gateway whose name contains the filter. */
export async function searchMusicCharts(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const charts = await fetchEntries(this, '/v2/apis/music-rank/list', 'id', 'name');
	const entries = charts.map(({ id, name }) => ({ name: name || id, value: id }));
	return { results: matching(filter, entries) };
}

/** The entries of a list, each with its ID, which is a text or a number, and the gateway's name for it. */
async function fetchEntries(
	context: ILoadOptionsFunctions,
	path: string,
	idField: string,
	nameField: string,
): Promise<Array<{ id: string; name: string }>> {
	return await listed(context, async (client) => {
		const content = await client.json({ endpoint: utilityEndpoint(path), ...ONE_RETRY }, openEnvelope);
		const failure = failureInUtility(content, true, undefined);
		if (failure) throw failure;
		const fields = new OptionalFields();
		return fields.list(content.data, 'data', (entry, place) => {
			const about = asRecord(entry) ?? {};
			const id = fields.text(about[idField], `${place}.${idField}`);
			return id === undefined ? undefined : { id, name: textOr(about[nameField]) };
		});
	});
}

/** Names of the gateway's own language codes. */
const OWN_NAMES: Record<string, string> = {
	'zh-CHS': 'Chinese (Simplified)',
	'zh-CHT': 'Chinese (Traditional)',
};

function languageName(code: string, label: string): string {
	const name = entryOf(OWN_NAMES, code) ?? englishName(code);
	return [name, label, `(${code})`].filter((part) => part !== '').join(' ');
}

function englishName(code: string): string {
	try {
		return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) ?? '';
	} catch {
		return '';
	}
}
