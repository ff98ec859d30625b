import type { Utility } from './utility';

const DATE = { key: 'date', label: 'Date', type: 'date' } as const;

/** News endpoints. */
export const news: Utility[] = [
	{
		value: 'aiNews',
		group: 'news',
		name: 'AI News',
		action: 'Get AI news',
		description: 'News about artificial intelligence of one day, or of all days',
		path: '/v2/apis/ai-news',
		encodings: ['json', 'text', 'markdown'],
		parameters: [
			{ ...DATE, description: 'Day of the news. Leave empty for the latest.' },
			{
				key: 'all',
				label: 'All Dates',
				type: 'presence',
				value: '1',
				description: 'Whether to return the news of all dates',
			},
		],
	},
	{
		value: 'breakDigest',
		group: 'news',
		name: 'Break Digest',
		action: 'Get break digest',
		description: 'Daily calendar for a break at work: date, holidays, countdowns (摸鱼日报)',
		path: '/v2/apis/moyu',
		encodings: ['json', 'text', 'markdown'],
		parameters: [],
	},
	{
		value: 'techNews',
		group: 'news',
		name: 'Tech News',
		action: 'Get tech news',
		description: 'Stories of a technology news board',
		path: '/v2/apis/tech-news/{type}',
		encodings: ['json', 'text', 'markdown'],
		parameters: [
			{
				key: 'type',
				label: 'Board',
				type: 'list',
				required: true,
				default: 'top',
				choices: [
					{ name: 'Best', value: 'best', description: 'Best stories of the last days' },
					{ name: 'New', value: 'new', description: 'Newest stories' },
					{ name: 'Top', value: 'top', description: 'Stories that are read most now' },
				],
				description: 'Which stories to list',
			},
		],
	},
	{
		value: 'todayInHistory',
		group: 'news',
		name: 'Today in History',
		action: 'Get events of this day in history',
		description: 'What happened on this day in earlier years (历史上的今天)',
		path: '/v2/apis/today-in-history',
		encodings: ['json', 'text', 'markdown'],
		parameters: [{ ...DATE, description: 'Day to look up. Leave empty for today.' }],
	},
	{
		value: 'worldNews',
		group: 'news',
		name: 'World News Digest',
		action: 'Get world news digest',
		description: 'The news of the world in one minute, once a day (60 秒读懂世界)',
		path: '/v2/apis/60s',
		encodings: ['json', 'text', 'markdown', 'image', 'image-proxy'],
		parameters: [
			{ ...DATE, description: 'Day of the digest. Leave empty for the latest.' },
			{
				key: 'force-update',
				label: 'Refresh Cache',
				type: 'presence',
				value: 'true',
				description: 'Whether the gateway should fetch the digest anew instead of using its cache',
			},
		],
	},
	{
		value: 'worldNewsRss',
		group: 'news',
		name: 'World News RSS',
		action: 'Get world news RSS feed',
		description: 'The world news digests as an RSS feed',
		path: '/v2/apis/60s/rss',
		encodings: [],
		parameters: [],
	},
];
