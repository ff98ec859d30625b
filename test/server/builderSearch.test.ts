import { createRequire } from 'node:module';
import type { NodeType } from '../../tools/host/n8nTypes';
import { builderIntents } from './builderIntents';
import { useServer } from './useServer';
import { describeSince, isSince, WITH_NODE_SEARCH } from './versions';

const n8n = useServer();

/** The search of n8n's AI builder: what it lists for some words, best first. */
interface NodeSearch {
	searchByName(words: string, limit: number, among?: (name: string) => boolean): Array<{ name: string }>;
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

/** The intents for which another node is first. */
const missed = (among?: (name: string) => boolean) =>
	builderIntents.filter(
		({ words, node }) => search.searchByName(words, 5, among)[0]?.name !== `${n8n.packageName}.${node}`,
	);

describeSince(WITH_NODE_SEARCH)("The node search of n8n's AI builder", () => {
	it('puts the right node first among all nodes for at least 36 of 40 intents', () => {
		expect(builderIntents).toHaveLength(40);
		expect(missed().map(({ words }) => words)).toEqual(
			builderIntents.filter(({ reason }) => reason !== undefined).map(({ words }) => words),
		);
		expect(missed().length).toBeLessThanOrEqual(4);
	});

	it('puts the right node first among the nodes of this package', () => {
		const own = missed((name) => name.startsWith(`${n8n.packageName}.`));
		expect(own.map(({ words }) => words)).toEqual(['weather in Hangzhou as image', 'create a QR code']);
	});

	it.each([
		['ai_languageModel', 'chatModel'],
		['ai_embedding', 'embeddingsModel'],
		['ai_reranker', 'rerankerModel'],
	])('finds the sub-node for %s by "gateway"', (type, node) => {
		expect(search.searchByConnectionType(type, 5, 'gateway')[0].name).toBe(`${n8n.packageName}.${node}`);
	});
});
