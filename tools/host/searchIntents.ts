const wordsByNode: Record<string, string[]> = {
	account: ['list models', 'subscription', 'balance', '模型列表', '余额'],
	chat: [
		...['chat', 'llm'],
		...['summarize', 'summary', 'chatgpt', 'gpt', 'chatbot', 'ask ai', 'language model', 'prompt'],
		...['generate text', 'gateway', 'ai gateway', 'unified ai'],
		...['openai', 'claude', 'anthropic', 'gemini', 'deepseek', 'qwen', 'llama', 'mistral'],
		...['聊天', '对话', '大模型', '总结', '摘要', '写作', '网关'],
	],
	chatModel: ['智能体', '聊天模型'],
	embed: ['embedding', 'vector', 'rag', 'semantic search', '向量', '嵌入', '知识库'],
	image: [
		'image',
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
		'tts',
		...['text to speech', 'voice', 'voiceover', 'speech', 'podcast', 'subtitles', 'elevenlabs'],
		...['文字转语音', '语音合成', '朗读', '配音', '字幕'],
	],
	utilities: [
		...['translate', 'translate text', 'weather', 'news', 'qr code', 'exchange rate', 'currency', 'password'],
		...['weibo', 'douyin', 'tiktok', 'baidu', 'zhihu', 'bilibili', 'hacker news', 'bitcoin'],
		...['lunar', 'china'],
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

/** What somebody types into the editor's node search, and a node that it then lists. Sub-nodes are listed only at connectors. */
export const searchIntents = Object.entries(wordsByNode).flatMap(([node, all]) =>
	all.map((words) => ({ words, node })),
);
