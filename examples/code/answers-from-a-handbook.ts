/** Store a handbook in a vector store, and answer a question from its best passages. */
import {
	documentLoader,
	embedding,
	expr,
	languageModel,
	newCredential,
	node,
	retriever,
	trigger,
	vectorStore,
	workflow,
} from '@n8n/workflow-sdk';

const gateway = { unifiedAiGatewayApi: newCredential('Unified AI Gateway account') };

const embeddings = embedding({
	type: 'n8n-nodes-unified-ai-gateway.embeddingsModel',
	version: 1,
	config: {
		name: 'Embeddings',
		parameters: { model: { __rl: true, mode: 'id', value: 'embedding-3-small' } },
		credentials: gateway,
	},
});

const model = languageModel({
	type: 'n8n-nodes-unified-ai-gateway.chatModel',
	version: 1,
	config: {
		name: 'Model',
		parameters: { model: { __rl: true, mode: 'id', value: 'aurora-4' }, options: { temperature: 0.2 } },
		credentials: gateway,
	},
});

const articleText = documentLoader({
	type: '@n8n/n8n-nodes-langchain.documentDefaultDataLoader',
	version: 1.1,
	config: {
		name: 'Article text',
		parameters: {
			dataType: 'json',
			jsonMode: 'expressionData',
			jsonData: expr('{{ $json.title }}: {{ $json.text }}'),
		},
	},
});

const search = vectorStore({
	type: '@n8n/n8n-nodes-langchain.vectorStoreInMemory',
	version: 1.3,
	config: {
		name: 'Search',
		parameters: {
			mode: 'retrieve',
			memoryKey: { __rl: true, mode: 'id', value: 'handbook-in-code' },
		},
		subnodes: { embedding: embeddings },
	},
});

const passages = retriever({
	type: '@n8n/n8n-nodes-langchain.retrieverVectorStore',
	version: 1,
	config: { name: 'Passages', parameters: { topK: 2 }, subnodes: { vectorStore: search } },
});
const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const handbook = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Handbook',
		parameters: {
			mode: 'raw',
			jsonOutput: `{ "articles": [
	{ "title": "Holidays", "text": "Everybody has thirty days of holidays a year." },
	{ "title": "Travel", "text": "Trips are booked by the front office, two weeks ahead." },
	{ "title": "Keys", "text": "A lost key is reported to the front office on the same day." }
] }`,
		},
	},
});

const each = node({
	type: 'n8n-nodes-base.splitOut',
	version: 1,
	config: { name: 'One item per article', parameters: { fieldToSplitOut: 'articles' } },
});

const store = node({
	type: '@n8n/n8n-nodes-langchain.vectorStoreInMemory',
	version: 1.3,
	config: {
		name: 'Store',
		parameters: {
			mode: 'insert',
			memoryKey: { __rl: true, mode: 'id', value: 'handbook-in-code' },
			clearStore: true,
		},
		subnodes: { documentLoader: articleText, embedding: embeddings },
	},
});

const answer = node({
	type: '@n8n/n8n-nodes-langchain.chainRetrievalQa',
	version: 1.6,
	config: {
		name: 'Answer',
		parameters: { promptType: 'define', text: 'How many days of holidays do I have?' },
		subnodes: { retriever: passages, model },
		executeOnce: true,
	},
});

export default workflow('answers-from-a-handbook', 'Answers from a handbook')
	.add(start)
	.to(handbook)
	.to(each)
	.to(store)
	.to(answer);
