import { LINK, rows, titled, type UtilityEntry } from './utility';

function trend(
	value: string,
	what: string,
	description: string,
	path: string,
	more: Pick<UtilityEntry, 'comparableTo' | 'searchWords' | 'output'>,
): UtilityEntry {
	return {
		value,
		name: titled(`${what} trends`),
		action: `get many ${what} trends`,
		description: `${description}, in Chinese`,
		path: `/v2/apis/${path}`,
		...more,
	};
}

export const trends: UtilityEntry[] = [
	trend('microblogHot', 'microblog', 'Hot searches on a microblog', 'microblog-hot', {
		comparableTo: 'Weibo',
		searchWords: ['weibo', '微博', 'trending topics', 'hot search', '热搜', '微博热搜'],
		output: rows('title', 'hot_value', LINK),
	}),
	trend('searchHot', 'search engine', 'Most frequent queries of a search engine', 'search-hot', {
		comparableTo: 'Baidu',
		searchWords: ['baidu', '百度', 'search trends', '实时热搜'],
		output: {
			...rows('rank', 'title', 'desc', 'score', 'score_desc', 'type_desc', 'cover', LINK),
			numbers: ['score'],
		},
	}),
	trend('newsHot', 'news', 'Most-read stories on a news site', 'news-hot', {
		comparableTo: 'Toutiao',
		searchWords: ['toutiao', '头条', 'trending news', 'hot news', '新闻热榜'],
		output: rows('title', 'hot_value', 'cover', LINK),
	}),
	trend('quickHot', 'quick news', 'Hot topics as short news items', 'quick-hot', {
		searchWords: ['quick news', 'short news', '速览热点'],
		output: rows(
			'title',
			'summary',
			'source',
			'like_count',
			'share_count',
			'comment_count',
			'published_at',
			'cover',
			LINK,
		),
	}),
	trend('qaHot', 'Q&A', 'Hot questions on a question-and-answer site', 'qa-hot', {
		comparableTo: 'Zhihu',
		searchWords: ['zhihu', '知乎', 'hot questions', '问答热榜'],
		output: rows(
			'title',
			'detail',
			'hot_value_desc',
			'answer_cnt',
			'follower_cnt',
			'comment_cnt',
			'created_at',
			'cover',
			LINK,
		),
	}),
	trend('shortVideoHot', 'short video', 'Hot searches on a short-video site', 'shortvideo-hot', {
		comparableTo: 'Douyin',
		searchWords: ['douyin', 'tiktok', '抖音', 'short videos', '短视频热搜'],
		output: rows('title', 'hot_value', 'event_time_at', 'active_time_at', 'cover', LINK),
	}),
	trend('videoHot', 'video', 'Hot searches on a video site', 'video-hot', {
		comparableTo: 'Bilibili',
		searchWords: ['bilibili', 'B 站', 'trending videos', '视频热搜'],
		output: rows('title', LINK),
	}),
	trend('forumHot', 'forum', 'Hot topics on a discussion forum', 'search-hot/tieba', {
		comparableTo: 'Tieba',
		searchWords: ['forum topics', 'tieba', '贴吧热议'],
		output: rows('rank', 'title', 'desc', 'abstract', 'score', 'score_desc', 'avatar', LINK),
	}),
	trend('lifestyleHot', 'lifestyle', 'Hot searches in a lifestyle community', 'lifestyle-hot', {
		comparableTo: 'Xiaohongshu',
		searchWords: ['xiaohongshu', 'rednote', '小红书', 'lifestyle', 'shopping tips', '生活方式热搜'],
		output: { ...rows('rank', 'title', 'score', 'word_type', 'work_type_icon', LINK), numbers: ['score'] },
	}),
	trend('teleplayHot', 'TV series', 'Most-searched television series', 'search-hot/teleplay', {
		searchWords: ['teleplay', 'drama series', '电视剧热搜'],
		output: { ...rows('rank', 'title', 'score', 'score_desc', 'cover', LINK), numbers: ['score'] },
	}),
	trend('autoHot', 'car', 'Hot topics about cars', 'auto-hot', {
		comparableTo: 'Dongchedi',
		searchWords: ['dongchedi', '懂车帝', 'car news', '汽车', '汽车热搜'],
		output: rows('rank', 'title', 'score', 'score_desc', LINK),
	}),
];
