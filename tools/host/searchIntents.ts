/** What somebody types into the editor's node search, and the node that should then be among the first three. */
export interface SearchIntent {
	words: string;
	/** The type of the node, without the name of the package. */
	node: string;
	/** Why the node cannot be among the first three; it must be in the list nevertheless. */
	reason?: string;
}

/*
 * How n8n 2.41 ranks: it takes the best fuzzy match among the name of a node (which counts 1.3 times) and its search
 * words, and adds up to 100 points for how often the node is used worldwide. A community node gets none of these points,
 * so that it stands behind a frequently used node with the same search word or with the word at the beginning of its name.
 */
const aheadByName = 'Names of nodes count more than search words, and these nodes are named like that';
const aheadByUse = 'More than two nodes of n8n have this search word, and frequently used nodes come first';
const aheadByBoth = `${aheadByName}; the others are used so often that n8n puts them ahead even for a distant match`;

const wordsByNode: Record<string, string[]> = {
	account: ['list models', 'subscription', 'balance', '模型列表', '余额'],
	chat: [
		...['summarize', 'summary', 'chatgpt', 'gpt', 'chatbot', 'ask ai', 'language model', 'prompt'],
		...['generate text', 'gateway', 'ai gateway', 'unified ai'],
		...['openai', 'claude', 'anthropic', 'gemini', 'deepseek', 'qwen', 'llama', 'mistral'],
		...['聊天', '对话', '大模型', '总结', '摘要', '写作', '网关'],
	],
	chatModel: ['智能体', '聊天模型'],
	embed: ['embedding', 'rag', 'semantic search', '向量', '嵌入', '知识库'],
	image: [
		...['picture', 'generate image', 'draw picture', 'text to image', 'image generation', 'photo'],
		...['flux', 'dall-e', 'midjourney', 'stable diffusion'],
		...['画图', '文生图', '图片', '生成图片', 'AI 绘画'],
	],
	music: [
		...['music', 'make a song', 'song', 'lyrics', 'background music', 'suno', 'udio'],
		...['音乐', '写歌', '作曲', '歌曲生成'],
	],
	rerank: ['rerank', 'relevance', 'cohere', '重排序'],
	speech: [
		...['text to speech', 'voice', 'voiceover', 'speech', 'podcast', 'subtitles', 'elevenlabs'],
		...['文字转语音', '语音合成', '朗读', '配音', '字幕'],
	],
	utilities: [
		...['translate', 'translate text', 'weather', 'news', 'qr code', 'exchange rate', 'currency', 'password'],
		...[
			'weibo',
			'douyin',
			'tiktok',
			'baidu',
			'zhihu',
			'bilibili',
			'hacker news',
			'bitcoin',
			'lunar',
			'china',
		],
		...['hash', 'joke', 'whois', '天气', '新闻', '翻译', '汇率', '二维码', '热搜', '密码'],
	],
	voiceModel: ['voice clone', 'clone voice', 'custom voice', '声音克隆', '克隆声音', '音色'],
};

/** What people type into the list of operations and of actions of Utilities, and the operation that they look for. */
export const operationIntents: Record<string, string> = {
	weibo: 'microblogHot',
	douyin: 'shortVideoHot',
	baidu: 'searchHot',
	toutiao: 'newsHot',
	zhihu: 'qaHot',
	bilibili: 'videoHot',
	tieba: 'forumHot',
	xiaohongshu: 'lifestyleHot',
	dongchedi: 'autoHot',
	'hacker news': 'techNews',
	douban: 'reviewsMovies',
	maoyan: 'boxOfficeMovies',
	netease: 'musicChart',
	lunar: 'breakDigest',
	weather: 'currentWeather',
	'exchange rate': 'exchangeRates',
	gold: 'goldPrices',
	'qr code': 'qrCode',
	translat: 'translate',
};

/** The searches that `npm run editor-pass` tries. Sub-nodes that n8n lists only at connectors are not searched for. */
export const searchIntents: SearchIntent[] = [
	...Object.entries(wordsByNode).flatMap(([node, all]) => all.map((words) => ({ words, node }))),
	{ words: 'chat', node: 'chat', reason: aheadByName },
	{ words: 'llm', node: 'chat', reason: `${aheadByName} ("Ollama" contains the letters)` },
	{ words: 'image', node: 'image', reason: aheadByUse },
	{ words: 'tts', node: 'speech', reason: aheadByBoth },
	{
		words: 'vector',
		node: 'embed',
		reason: `A template stands first, then vector stores: names of nodes count more than search words`,
	},
];
