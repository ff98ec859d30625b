import { entryOf } from '../shared/plain/values';

/** English names of well-known music charts, by their Chinese name. */
const BY_NAME: Record<string, string> = {
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

/** The same for charts whose name differs from gateway to gateway. */
const BY_ID: Record<string, string> = {
	'19723756': 'Rising Songs',
	'2884035': 'Original Songs',
	'3778678': 'Hot Songs',
	'3779629': 'New Songs',
};

/** The name of a music chart in the picker: in English and as the gateway has it, as far as they are known. */
export function chartName(id: string, name: string): string {
	const own = name.trim();
	const english = entryOf(BY_NAME, own) ?? entryOf(BY_ID, id) ?? '';
	if (own.includes(english)) return own || id;
	return `${english} ${own}`.trim();
}
