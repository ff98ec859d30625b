/** Keep the three search results that answer a question best. */
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const gateway = { unifiedAiGatewayApi: newCredential('Unified AI Gateway account') };

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const results = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Search results',
		parameters: {
			mode: 'raw',
			jsonOutput: `{ "results": [
	{ "title": "Reset a forgotten password", "snippet": "Choose Forgot password and follow the link in the mail." },
	{ "title": "Opening hours", "snippet": "Monday to Friday from eight to six." },
	{ "title": "The mail does not arrive", "snippet": "Look into the spam folder and ask for the mail again." },
	{ "title": "Prices", "snippet": "Compare the free plan with the team plan." }
] }`,
		},
	},
});

const each = node({
	type: 'n8n-nodes-base.splitOut',
	version: 1,
	config: { name: 'One item per result', parameters: { fieldToSplitOut: 'results' } },
});

const best = node({
	type: 'n8n-nodes-unified-ai-gateway.rerank',
	version: 1,
	config: {
		name: 'Best results',
		parameters: {
			operation: 'rerankInputItems',
			model: { __rl: true, mode: 'id', value: 'reranker-v2-m3' },
			query: 'I forgot my password. How do I get back into my account?',
			text: expr('{{ $json.title }}. {{ $json.snippet }}'),
			topN: 3,
		},
		credentials: gateway,
	},
});

export default workflow('best-search-results', 'Best search results')
	.add(start)
	.to(results)
	.to(each)
	.to(best);
