import { createRequire } from 'node:module';
import type { NodeType } from '../../tools/host/n8nTypes';
import { useServer } from './useServer';
import { describeSince, isSince, WITH_NODE_SEARCH } from './versions';

const n8n = useServer();

/** The search of n8n's AI builder: what it lists for some words, best first. */
interface NodeSearch {
	searchByName(words: string, limit: number): Array<{ name: string }>;
	searchByConnectionType(type: string, limit: number, words?: string): Array<{ name: string }>;
}

let search: NodeSearch;

beforeAll(() => {
	if (!isSince(WITH_NODE_SEARCH)) return;
	const { NodeSearchEngine } = createRequire(n8n.installation.n8n)('@n8n/ai-utilities/node-catalog') as {
		NodeSearchEngine: new (nodeTypes: NodeType[]) => NodeSearch;
	};
	search = new NodeSearchEngine(n8n.nodeTypes);
});

describeSince(WITH_NODE_SEARCH)("The node search of n8n's AI builder", () => {
	it.each([
		['account', ['list available models', '模型列表']],
		['chat', ['chat completion', '总结']],
		['chatModel', ['智能体']],
		['embed', ['embed documents', '文本嵌入']],
		['embeddingsModel', ['嵌入模型']],
		['image', ['generate an image', '图片生成']],
		['music', ['make background music', '歌曲生成']],
		['rerank', ['rank these results', '重排序']],
		['speech', ['text to speech', '语音合成']],
		['utilities', ['exchange rates', '天气预报']],
		['voiceModel', ['voice cloning', '声音克隆']],
	])('puts %s first among all nodes for %j', (node, intents) => {
		const first = intents.map((words) => search.searchByName(words, 5)[0]?.name);
		expect(first).toEqual(intents.map(() => `${n8n.packageName}.${node}`));
	});

	it.each([
		['ai_languageModel', 'chatModel'],
		['ai_embedding', 'embeddingsModel'],
		['ai_reranker', 'rerankerModel'],
	])('finds the sub-node for %s by "gateway"', (type, node) => {
		expect(search.searchByConnectionType(type, 5, 'gateway')[0].name).toBe(`${n8n.packageName}.${node}`);
	});
});
