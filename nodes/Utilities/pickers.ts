import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listed, matching } from '../shared/fields/picker';
import { LooseFields } from '../shared/answer/looseFields';
import type { GatewayClient } from '../shared/send/client';
import { utilityEndpoint } from '../shared/send/endpoints';
import { ONE_RETRY } from '../shared/send/retry';
import { asRecord, entryOf, textOr } from '../shared/plain/values';
import { failureInUtility, openEnvelope } from './readUtility';

/** `methods.listSearch`: the languages whose English name, own name, or code contains the filter. */
export async function searchLanguages(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const languages = await listed(this, async (client) =>
		fetchEntries(client, '/v2/apis/fanyi/langs', 'code', 'label'),
	);
	const entries = languages
		.filter(({ id }) => id !== 'auto')
		.map(({ id, name }) => ({ name: languageName(id, name), value: id }));
	return {
		results: [...matching(filter, [{ name: 'Automatic', value: 'auto' }]), ...matching(filter, entries)],
	};
}

/** `methods.listSearch`: the music charts of the gateway whose English or own name contains the filter. */
export async function searchMusicCharts(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const charts = await listed(this, async (client) =>
		fetchEntries(client, '/v2/apis/music-rank/list', 'id', 'name'),
	);
	return {
		results: matching(
			filter,
			charts.map(({ id, name }) => ({ name: chartName(id, name), value: id })),
		),
	};
}

/** The entries of a list, each with its ID, which is a text or a number, and the gateway's name for it. */
async function fetchEntries(
	client: GatewayClient,
	path: string,
	idField: string,
	nameField: string,
): Promise<Array<{ id: string; name: string }>> {
	const content = openEnvelope(await client.json({ endpoint: utilityEndpoint(path), ...ONE_RETRY }));
	const failure = failureInUtility(content, true, undefined);
	if (failure) throw failure;
	const fields = new LooseFields();
	return fields.list(content.data, 'data', (entry, place) => {
		const about = asRecord(entry) ?? {};
		const id = fields.text(about[idField], `${place}.${idField}`);
		return id === undefined ? undefined : { id, name: textOr(about[nameField]) };
	});
}

/** English names of well-known music charts, by their Chinese name. */
const ENGLISH_CHARTS: Record<string, string> = {
	ACG榜: 'Anime, Comics, and Games',
	KTV榜: 'Karaoke',
	原创榜: 'Original Songs',
	古典榜: 'Classical',
	古风榜: 'Traditional Style',
	国风榜: 'Traditional Style',
	摇滚榜: 'Rock',
	新歌榜: 'New Songs',
	日语榜: 'Japanese Songs',
	欧美新歌榜: 'New Western Songs',
	欧美热歌榜: 'Hot Western Songs',
	民谣榜: 'Folk',
	热歌榜: 'Hot Songs',
	电音榜: 'Electronic',
	粤语榜: 'Cantonese Songs',
	网络热歌榜: 'Hot Internet Songs',
	说唱榜: 'Rap',
	韩语榜: 'Korean Songs',
	飙升榜: 'Rising Songs',
};

/** The name of a music chart: in English, if it is known, and as the gateway has it. */
function chartName(id: string, name: string): string {
	const own = name.trim();
	const english = entryOf(ENGLISH_CHARTS, own);
	return english === undefined ? own || id : `${english} ${own}`;
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
