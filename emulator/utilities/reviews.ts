import { topics } from './data/topics';
import type { Call, Endpoint } from './endpoint';
import { Dice } from './random';
import { type Answer, describe } from './reply';
import { dayInMs, timeAt } from './time';
import { numbered } from './wording';

interface WeeklyChart {
	path: string;
	name: string;
	titles: readonly string[];
	tags: readonly string[];
	places: readonly string[];
}

const chinese = ['中国大陆', '中国香港', '中国台湾'];
const global = ['英国', '美国', '日本', '韩国', '法国'];
const drama = ['剧情', '悬疑', '家庭', '历史', '爱情'];
const show = ['真人秀', '音乐', '喜剧', '纪录', '访谈'];
const chartLength = 10;

const charts: WeeklyChart[] = [
	{
		path: 'movie',
		name: '一周口碑电影榜',
		titles: topics.films,
		tags: drama,
		places: [...chinese, ...global],
	},
	{ path: 'tv_chinese', name: '华语口碑剧集榜', titles: topics.series, tags: drama, places: chinese },
	{ path: 'tv_global', name: '全球口碑剧集榜', titles: topics.foreignSeries, tags: drama, places: global },
	{ path: 'show_chinese', name: '国内口碑综艺榜', titles: topics.shows, tags: show, places: chinese },
	{ path: 'show_global', name: '国外口碑综艺榜', titles: topics.foreignShows, tags: show, places: global },
];

/** Charts change on Fridays; the epoch began on a Thursday. */
function weekOf(today: string): number {
	return Math.floor((timeAt(today, '08:00:00') / dayInMs - 1) / 7);
}

function weekly(chart: WeeklyChart, { today, fileUrl }: Call): Answer {
	const week = weekOf(today);
	const rankedIn = (number: number) =>
		new Dice('reviews', chart.path, number).sample(chart.titles, chartLength);
	const before = rankedIn(week - 1);
	const list = rankedIn(week).map((title, index) => {
		const dice = new Dice('review', chart.path, title);
		const previous = before.indexOf(title);
		const change = previous < 0 ? 0 : previous - index;
		const id = String(dice.integer(1_000_000, 36_999_999));
		const tags = dice.sample(chart.tags, 2);
		const year = dice.integer(2022, 2026);
		return {
			rank: index + 1,
			title,
			id,
			rating: dice.decimal(7.1, 9.6, 1),
			rating_count: dice.integer(2_000, 480_000),
			good_rate: dice.decimal(0.7, 0.98, 2),
			trend: change > 0 ? 'up' : change < 0 ? 'down' : 'equal',
			rank_change: Math.abs(change),
			card_subtitle: `${year} / ${dice.pick(chart.places)} / ${tags.join(' ')}`,
			description: dice.pick([
				'节奏沉稳，后劲十足。',
				'小人物身上见天地。',
				'笑中有泪，值得一看。',
				'镜头克制，情感饱满。',
			]),
			cover: fileUrl(`review-${id}-270x400.png`),
			cover_proxy: fileUrl(`review-${id}-135x200.png`),
			url: `https://reviews.example/subject/${id}`,
			tags,
		};
	});
	return describe(
		list,
		() => `${chart.name}\n\n${numbered(list.map((item) => `${item.title} (${item.rating} 分)`))}`,
		() =>
			`# ${chart.name}\n\n${list
				.map(
					(item) =>
						`### ${item.rank}. [${item.title}](${item.url}) \`${item.rating}\`\n\n${item.card_subtitle}\n\n> ${item.description}`,
				)
				.join('\n\n')}`,
	);
}

/** Group Reviews: the best-reviewed films, series and shows of the week. */
export const reviewEndpoints: Endpoint[] = charts.map((chart) => ({
	path: `/reviews/weekly/${chart.path}`,
	answer: (call) => weekly(chart, call),
}));
