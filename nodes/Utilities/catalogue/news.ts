import { LINK, rows, TEXT_FIRST, type UtilityEntry, type UtilityParameter } from './utility';
import { choiceField, flagField } from '../../shared/fields/field';

const DATE: UtilityParameter = {
	displayName: 'Date',
	name: 'date',
	type: 'dateTime',
	default: '',
	description:
		'The day to look up (YYYY-MM-DD). If not set, the latest one is used. An answer of another day is a failure.',
};

export const news: UtilityEntry[] = [
	{
		value: 'worldNews',
		name: 'World News Digest',
		action: 'get world news digest',
		description: 'Daily world news digest, in Chinese',
		searchWords: ['news', 'headlines', 'daily news', '新闻', '60 秒读懂世界'],
		path: '/v2/apis/60s',
		day: 'date',
		output: {
			fields: ['date', 'day_of_week', 'lunar_date', 'news', 'tip', 'updated_at', 'cover', 'image', 'link'],
			lists: { news: ['news', '^date', '^day_of_week', '^updated_at', '^link'] },
		},
		encodings: [...TEXT_FIRST, 'image', 'image-proxy'],
		parameters: [
			DATE,
			{
				...flagField(
					'Refresh Cache',
					'force-update',
					'Whether the gateway should fetch the digest again instead of using its cache',
				),
				sentAs: 'true',
			},
		],
	},
	{
		value: 'aiNews',
		name: 'AI News',
		action: 'get many AI news',
		description: 'News about artificial intelligence from one day or all days, in Chinese',
		searchWords: ['artificial intelligence news', 'AI 资讯'],
		path: '/v2/apis/ai-news',
		day: 'date',
		output: { lists: { news: ['title', 'detail', 'source', 'date', LINK] } },
		parameters: [
			DATE,
			{ ...flagField('All Dates', 'all', 'Whether to return the news of all dates'), sentAs: '1' },
		],
	},
	{
		value: 'techNews',
		name: 'Tech News',
		comparableTo: 'Hacker News',
		action: 'get many tech news',
		description: 'Stories from a technology news board',
		searchWords: ['hacker news', 'technology news', 'startup news', '科技新闻'],
		path: '/v2/apis/tech-news/{type}',
		output: rows('title', 'score', 'author', 'created_at', 'id', LINK),
		parameters: [
			choiceField('Board', 'type', {
				default: 'top',
				description: 'Which stories to list',
				options: [
					{ name: 'Best', value: 'best', description: 'Best stories of the past few days' },
					{ name: 'New', value: 'new', description: 'Newest stories' },
					{ name: 'Top', value: 'top', description: 'Stories that are most popular now' },
				],
				required: true,
			}),
		],
	},
	{
		value: 'todayInHistory',
		name: 'Today in History',
		action: 'get many events of this day in history',
		description: 'Events on this day in earlier years, in Chinese',
		searchWords: ['on this day', 'anniversaries', '历史上的今天'],
		path: '/v2/apis/today-in-history',
		day: 'date',
		output: {
			lists: { items: ['year', 'title', 'description', 'event_type', '^date', LINK] },
			numbers: ['year'],
		},
		parameters: [DATE],
	},
	{
		value: 'worldNewsRss',
		name: 'World News RSS',
		action: 'get world news RSS feed',
		description: 'The world news digests as an RSS feed, in Chinese',
		searchWords: ['RSS', 'news feed', '60 秒读懂世界 RSS'],
		path: '/v2/apis/60s/rss',
		encodings: [],
	},
	{
		value: 'breakDigest',
		name: 'Daily Break Digest (Lunar Calendar)',
		action: 'get daily break digest with lunar calendar in Chinese',
		description: 'Daily calendar for a break at work, in Chinese: date, holidays, and countdowns',
		searchWords: ['lunar', '农历', '黄历', 'holiday countdown', 'lunar calendar', '摸鱼日报'],
		path: '/v2/apis/moyu',
		day: 'date.gregorian',
		output: {
			fields: [
				['date', 'date.gregorian'],
				'date.lunar.monthCN',
				'date.lunar.dayCN',
				'today.isWorkday',
				'today.holidayName',
				['nextHoliday', 'nextHoliday.name'],
				'nextHoliday.until',
				'countdown.toWeekEnd',
				'countdown.toMonthEnd',
				'countdown.toYearEnd',
			],
		},
		encodings: TEXT_FIRST,
	},
];
