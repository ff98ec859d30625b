import { topics } from './data/topics';
import type { Call, Endpoint } from './endpoint';
import { Dice } from './random';
import { describe } from './reply';
import { dayInMs, stamps, timeAt } from './time';
import { numbered } from './wording';

/** The data from which a chart builds an entry. */
interface Entry {
	title: string;
	/** Starts at 1. */
	rank: number;
	/** Decreases with the rank. */
	heat: number;
	dice: Dice;
	/** Start of the day in ms. */
	dayStart: number;
	cover: string;
	/** Address of the entry on the platform. */
	link: string;
}

interface Chart {
	path: string;
	/** Heading of the text forms. */
	name: string;
	titles: readonly string[];
	entry: (entry: Entry) => { title: string } & Record<string, unknown>;
	/** Text after the title in the text forms. */
	note?: (entry: Entry) => string;
}

const chartLength = 20;
const tenThousands = (heat: number) => `${(heat / 10_000).toFixed(1)}万`;
const heatNote = ({ heat }: Entry) => tenThousands(heat);

const charts: Chart[] = [
	{
		path: '/shortvideo-hot',
		name: '短视频热搜',
		titles: [...topics.entertainment, ...topics.life],
		entry: ({ title, heat, cover, link, dice, dayStart }) => ({
			title,
			hot_value: heat,
			cover,
			link,
			...stamps('event_time', dayStart - dice.integer(3_600_000, dayInMs)),
			...stamps('active_time', dayStart - dice.integer(60_000, 3_600_000)),
		}),
		note: heatNote,
	},
	{
		path: '/lifestyle-hot',
		name: '生活方式热搜',
		titles: topics.life,
		entry: ({ title, rank, heat, dice, link, cover }) => ({
			rank,
			title,
			score: `${(heat / 10_000).toFixed(1)}w`,
			word_type: dice.pick(['热', '新', '无', '独家']),
			work_type_icon: cover,
			link,
		}),
		note: heatNote,
	},
	{
		path: '/microblog-hot',
		name: '微博客热搜',
		titles: [...topics.society, ...topics.entertainment],
		entry: ({ title, heat, link }) => ({ title, hot_value: heat, link }),
		note: heatNote,
	},
	{
		path: '/video-hot',
		name: '视频站热搜',
		titles: [...topics.technology, ...topics.entertainment],
		entry: ({ title, link }) => ({ title, link }),
	},
	{
		path: '/qa-hot',
		name: '问答热榜',
		titles: [...topics.society, ...topics.technology].map((topic) => `如何看待「${topic}」？`),
		entry: ({ title, heat, cover, dice, dayStart, link }) => ({
			title,
			detail: `近日，${title.slice(4, -1)}引发讨论，你有什么看法或经历可以分享？`,
			cover,
			hot_value_desc: `${Math.round(heat / 10_000)} 万热度`,
			answer_cnt: dice.integer(40, 2600),
			follower_cnt: dice.integer(300, 21_000),
			comment_cnt: dice.integer(5, 900),
			...stamps('created', dayStart - dice.integer(3_600_000, 3 * dayInMs)),
			link,
		}),
		note: heatNote,
	},
	{
		path: '/news-hot',
		name: '新闻热榜',
		titles: [...topics.society, ...topics.cars],
		entry: ({ title, heat, cover, link }) => ({ title, hot_value: heat, cover, link }),
		note: heatNote,
	},
	{
		path: '/search-hot',
		name: '实时热搜',
		titles: [...topics.society, ...topics.life],
		entry: ({ title, rank, heat, cover, link, dice }) => ({
			rank,
			title,
			desc: `${title}，相关话题引发关注。`,
			score: String(heat),
			score_desc: tenThousands(heat),
			cover,
			type: dice.pick(['hot', 'new', 'same']),
			type_desc: dice.pick(['热', '新', '平']),
			type_icon: null,
			url: link,
		}),
		note: heatNote,
	},
	{
		path: '/search-hot/teleplay',
		name: '电视剧热搜',
		titles: topics.series,
		entry: ({ title, rank, heat, link }) => ({
			rank,
			title,
			score: String(heat),
			score_desc: tenThousands(heat),
			cover: null,
			url: link,
		}),
		note: heatNote,
	},
	{
		path: '/search-hot/tieba',
		name: '贴吧热议',
		titles: [...topics.technology, ...topics.cars],
		entry: ({ title, rank, heat, cover, link }) => ({
			rank,
			title,
			desc: `吧友热议：${title}`,
			abstract: `${title}，你怎么看？`,
			score: heat,
			score_desc: tenThousands(heat),
			avatar: cover,
			url: link,
		}),
		note: heatNote,
	},
	{
		path: '/quick-hot',
		name: '速览热点',
		titles: [...topics.technology, ...topics.society],
		entry: ({ title, cover, dice, dayStart, link }) => ({
			id: String(dice.integer(10_000_000, 99_999_999)),
			title,
			summary: `${title}：三十秒看懂来龙去脉。`,
			content: `${title}。记者从多方了解到，相关工作正在推进，后续进展将持续更新。`,
			source: dice.pick(['城市日报', '科技观察', '晚间新闻', '民生周刊']),
			cover,
			images: [{ url: cover, width: 400, height: 300, type: 'png' }],
			category: [dice.pick(['科技', '社会', '生活'])],
			tags: dice.sample(['热点', '关注', '解读', '深度', '视频'], 2),
			like_count: dice.integer(20, 9800),
			share_count: dice.integer(3, 1200),
			comment_count: dice.integer(1, 3200),
			...stamps('published', dayStart - dice.integer(60_000, dayInMs)),
			link,
		}),
	},
	{
		path: '/auto-hot',
		name: '汽车热搜',
		titles: topics.cars,
		entry: ({ title, rank, heat, link }) => ({
			rank,
			title,
			url: link,
			score: heat,
			score_desc: tenThousands(heat),
		}),
		note: heatNote,
	},
];

/** The hot titles of a day, the hottest first. */
function ranking({ path, titles }: Chart, { today, fileUrl }: Call): Entry[] {
	const dice = new Dice('chart', path, today);
	let heat = dice.integer(9_000_000, 12_500_000);
	return dice.sample(titles, chartLength).map((title, index) => {
		heat = Math.round(heat * dice.decimal(0.86, 0.97, 3));
		const id = dice.integer(100_000, 999_999);
		return {
			title,
			rank: index + 1,
			heat,
			dice,
			dayStart: timeAt(today),
			cover: fileUrl(`topic-${id}.png`),
			link: `https://charts.example${path}/${id}`,
		};
	});
}

function chartEndpoint(chart: Chart): Endpoint {
	return {
		path: chart.path,
		answer: (call) => {
			const entries = ranking(chart, call);
			const note = (entry: Entry, mark: string) => (chart.note ? ` ${mark}${chart.note(entry)}${mark}` : '');
			return describe(
				entries.map((entry) => chart.entry(entry)),
				() => `${chart.name}\n\n${numbered(entries.map((entry) => `${entry.title}${note(entry, '')}`))}`,
				() =>
					`# ${chart.name}\n\n${numbered(entries.map((entry) => `[${entry.title}](${entry.link})${note(entry, '`')}`))}`,
			);
		},
	};
}

/** Group Charts: today's hot topics on several platforms. */
export const chartEndpoints: Endpoint[] = charts.map(chartEndpoint);
