/** The descriptions of the nodes in the READMEs, by the name of the node's type, in the order of their tables. */
export const NODE_WORDS: Record<string, { english: string; chinese: string }> = {
	chat: {
		english:
			'Text, images, PDFs, and audio in; tools; fallback models; JSON answers checked against a schema',
		chinese: '文本、图像、PDF 与音频输入、工具调用、备用模型、按 JSON Schema 校验的 JSON 回答',
	},
	image: {
		english: 'Images from a prompt and reference images, downloaded as files',
		chinese: '用提示词和参考图生成图像，并下载为文件',
	},
	speech: {
		english: 'Text of any length becomes one MP3, WAV, or Opus file',
		chinese: '任意长度的文本合成为一个 MP3、WAV 或 Opus 文件',
	},
	voiceModel: {
		english: 'A voice cloned from two or three recordings',
		chinese: '用两到三段录音克隆声音',
	},
	music: {
		english: 'Songs with cover images: all are submitted first and then polled together',
		chinese: '生成歌曲与封面：先全部提交，再统一轮询',
	},
	rerank: {
		english: 'Items or lists sorted by relevance; any number of documents',
		chinese: '按相关性排序数据项或列表，文档数量不限',
	},
	embed: {
		english: 'Vectors in the fields of your items; many texts share a request',
		chinese: '把向量写入数据项的字段，多条文本合并为一个请求',
	},
	utilities: {
		english: 'News, weather, translation, exchange rates, trends, box office, QR codes, jokes, and more',
		chinese: '新闻、天气、翻译、百科、汇率、热搜榜、票房、二维码、密码、段子等',
	},
	account: {
		english: 'Models, limits, and spending of your key',
		chinese: '密钥可用的模型、账户额度与用量',
	},
	chatModel: {
		english: 'Chat model for an AI Agent or chain: tool calls, streaming, images',
		chinese: 'AI Agent 与链的对话模型：工具调用、流式输出、图像输入',
	},
	embeddingsModel: {
		english: 'Embeddings for a vector store, in batches',
		chinese: '为向量库批量生成向量',
	},
	rerankerModel: {
		english: 'The most relevant results of a vector store, with scores',
		chinese: '从向量库的检索结果中选出最相关的内容，并给出分数',
	},
};
