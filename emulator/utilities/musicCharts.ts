import { songs } from './data/songs';
import type { Call, Endpoint } from './endpoint';
import { Dice } from './random';
import { type Answer, describe } from './reply';
import { addDays, stamps, timeAt } from './time';
import { numbered } from './wording';

const charts: ReadonlyArray<{ id: number; name: string; frequency: string; created: string }> = [
	{ id: 3778678, name: '热歌榜', frequency: '每周四更新', created: '2013-07-11' },
	{ id: 3779629, name: '新歌榜', frequency: '每天更新', created: '2013-07-11' },
	{ id: 2884035, name: '原创榜', frequency: '每周四更新', created: '2013-04-18' },
	{ id: 19723756, name: '飙升榜', frequency: '每天更新', created: '2014-11-06' },
	{ id: 5059661515, name: '民谣榜', frequency: '每周五更新', created: '2020-05-22' },
	{ id: 5453912201, name: '古风榜', frequency: '每周一更新', created: '2020-12-07' },
];
const singers = ['林清', '江远', '苏禾', '陈墨', '叶知秋', '顾南星', '白露', '周一一'];
const companies = ['山海唱片', '小镇音乐', '独立发行'];
const firstNames = ['夜', '风', '雨', '海', '星', '路', '城', '花', '雪', '光'];
const secondNames = ['之歌', '漫游', '来信', '絮语', '与我', '尽头', '往事', '的回声'];
const chartLength = 50;
const defaultShown = 36;

function chartList({ today, fileUrl }: Call): Answer {
	const list = charts.map(({ id, name, frequency, created }) => ({
		id,
		name,
		description: null,
		cover: fileUrl(`music-chart-${id}-300x300.png`),
		update_frequency: frequency,
		...stamps('updated', timeAt(today)),
		...stamps('created', timeAt(created)),
		link: `https://music.example/chart?id=${id}`,
	}));
	return describe(
		list,
		() => `音乐榜单\n\n${numbered(list.map((chart) => `${chart.name} (${chart.update_frequency})`))}`,
		() =>
			`# 音乐榜单\n\n${list
				.map(
					(chart, index) =>
						`### ${index + 1}. [${chart.name}](${chart.link}) \`${chart.update_frequency}\`\n\n![${chart.name}](${chart.cover})\n\n**更新时间**: ${chart.updated}`,
				)
				.join('\n\n---\n\n')}`,
	);
}

function quality(durationInMs: number, bitrate: number, extension: string) {
	const size = Math.round((durationInMs / 1000) * (bitrate / 8));
	return { size, size_desc: `${(size / 1e6).toFixed(2)} MB`, bitrate, extension };
}

function track(title: string, index: number, chart: (typeof charts)[number], call: Call) {
	const dice = new Dice('track', title);
	const id = dice.integer(1_000_000, 2_000_000_000);
	const known = songs.find((song) => song.title === title);
	const duration = dice.integer(150_000, 320_000);
	const published = addDays(call.today, -dice.integer(10, 900));
	const clock = `${Math.floor(duration / 60_000)}:${String(Math.floor((duration % 60_000) / 1000)).padStart(2, '0')}`;
	return {
		id,
		rank: index + 1,
		rank_name: chart.name,
		title,
		artist: (known ? [known.artist] : dice.sample(singers, dice.integer(1, 2))).map((name) => {
			const artistId = new Dice('artist', name).integer(1000, 90_000_000);
			return {
				id: artistId,
				name,
				cover: call.fileUrl(`artist-${artistId}-300x300.png`),
				link: `https://music.example/artist?id=${artistId}`,
			};
		}),
		album: {
			id: dice.integer(10_000, 200_000_000),
			name: `${title}（单曲）`,
			cover: call.fileUrl(`album-${id}-300x300.png`),
			published,
			published_at: timeAt(published),
			company: dice.pick(companies),
		},
		duration,
		duration_desc: clock,
		popularity: dice.integer(60, 100),
		score: dice.integer(50, 100),
		fee: dice.pick([0, 1, 8]),
		status: 0,
		mb: {
			sq: quality(duration, 900_000, 'flac'),
			hq: quality(duration, 320_000, 'mp3'),
			mq: null,
			lq: null,
		},
		link: `https://music.example/song?id=${id}`,
	};
}

const allTitles = [
	...songs.map(({ title }) => title),
	...firstNames.flatMap((first) => secondNames.map((second) => `${first}${second}`)),
];

/** An unknown chart is an empty list; `size` shortens only the text forms. */
function chartTracks(call: Call): Answer {
	const chart = charts.find(({ id }) => String(id) === call.path['id']);
	const tracks = chart
		? new Dice('music-rank', chart.id, call.today)
				.sample(allTitles, chartLength)
				.map((title, index) => track(title, index, chart, call))
		: [];
	const asked = call.parameters.integer('size', defaultShown);
	const shown = tracks.slice(0, asked > 0 ? asked : defaultShown);
	const heading = `音乐榜单 ${chart?.name ?? ''}`.trim();
	const names = (artists: Array<{ name: string }>) => artists.map(({ name }) => name).join('、');
	return describe(
		tracks,
		() => `${heading}\n\n${numbered(shown.map(({ title, artist }) => `${title} - ${names(artist)}`))}`,
		() =>
			`# ${heading}\n\n${shown
				.map(
					(item) =>
						`### ${item.rank}. [${item.title}](${item.link}) \`${item.duration_desc}\`\n\n**歌手**: ${names(item.artist)}\n\n**专辑**: ${item.album.name}`,
				)
				.join('\n\n---\n\n')}`,
	);
}

/** Group Music Charts: the list of charts and the tracks of a chart. */
export const musicChartEndpoints: Endpoint[] = [
	{ path: '/music-rank/list', answer: chartList },
	{ path: '/music-rank/:id', example: '/music-rank/3778678', answer: chartTracks },
];
