import { z } from 'zod';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listed, matching } from '../shared/fields/picker';
import { checkAnswer, listOf } from '../shared/http/schemas';
import type { GatewayClient } from '../shared/gateway/client';
import { utilityEndpoint } from '../shared/gateway/endpoints';
import { ONE_RETRY } from '../shared/pacing/retry';
import { entryOf } from '../shared/values';
import { chartName } from './chartNames';
import { failureInUtility, openEnvelope } from './readUtility';

/** The languages of the translation endpoint, with the gateway's names for them. */
const languageListSchema = listOf(
	z.object({ code: z.string().min(1), label: z.string().nullish() }).passthrough(),
);

/** The music charts; their IDs are numbers or texts. */
const musicChartListSchema = listOf(
	z
		.object({
			id: z.union([z.number(), z.string().min(1)]).transform(String),
			name: z.string().nullish(),
		})
		.passthrough(),
);

/** `methods.listSearch`: the languages whose English name, own name, or code contains the filter. */
export async function searchLanguages(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const languages = await listed(this, async (client) =>
		checkAnswer(languageListSchema, await fetchList(client, '/v2/apis/fanyi/langs')),
	);
	const entries = languages
		.filter(({ code }) => code !== 'auto')
		.map(({ code, label }) => ({ name: languageName(code, label ?? ''), value: code }));
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
		checkAnswer(musicChartListSchema, await fetchList(client, '/v2/apis/music-rank/list')),
	);
	return {
		results: matching(
			filter,
			charts.map(({ id, name }) => ({ name: chartName(id, name ?? ''), value: id })),
		),
	};
}

async function fetchList(client: GatewayClient, path: string): Promise<unknown> {
	const content = openEnvelope(await client.json({ endpoint: utilityEndpoint(path), ...ONE_RETRY }));
	const failure = failureInUtility(content, ['code'], undefined);
	if (failure) throw failure;
	return content.data;
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
