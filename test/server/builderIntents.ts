/** What somebody wants, in words, and the node that n8n's AI builder should then find first. */
interface BuilderIntent {
	words: string;
	/** The type of the node, without the name of the package. */
	node: string;
	/** Why another node of n8n is ahead. */
	reason?: string;
}

/*
 * How n8n's builder ranks (`NodeSearchEngine`): each word is searched for alone, the best match counts, long words more
 * than short ones, and the name of a node up to 1.5 times as much as a search word. A node that is called exactly like
 * one of the words comes first.
 */
const intentsByNode: Record<string, string[]> = {
	account: ['list available models', 'remaining credits', '模型列表'],
	chat: ['chat completion', '总结', '对话'],
	chatModel: ['智能体'],
	embed: ['embed documents', '文本嵌入', '语义搜索'],
	embeddingsModel: ['嵌入模型'],
	image: ['generate an image', 'draw a picture', 'image from a prompt', '图片生成'],
	music: ['make background music', 'jingle', '歌曲生成', '写歌', 'song lyrics'],
	rerank: ['rank these results', 'rerank documents', '重排序'],
	speech: ['text to speech', 'turn an article into a podcast', 'list the voices', '语音合成', '朗读文章'],
	utilities: ['exchange rates', 'trending topics', 'whois of a domain', '天气预报', '今日金价', '二维码'],
	voiceModel: ['voice cloning', '声音克隆'],
};

export const builderIntents: BuilderIntent[] = [
	...Object.entries(intentsByNode).flatMap(([node, all]) => all.map((words) => ({ words, node }))),
	{ words: 'speak this text', node: 'speech', reason: 'Text Classifier has "text" in its name' },
	{ words: 'weather forecast', node: 'utilities', reason: 'OpenWeatherMap has "weather" in its name' },
	{
		words: 'weather in Hangzhou as image',
		node: 'utilities',
		reason: 'a node called exactly like a word comes first: Image',
	},
	{
		words: 'create a QR code',
		node: 'utilities',
		reason: 'a node called exactly like a word comes first: Code',
	},
];
