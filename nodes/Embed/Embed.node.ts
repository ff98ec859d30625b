import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { modelSearch } from '../shared/fields/picker';
import { testCredential } from '../shared/send/testCredential';
import { describeOperations } from '../shared/run/describe';
import { runOperations } from '../shared/run/runOperations';
import { embedText } from './operations/embedText.operation';

const operations = [embedText];

export class Embed implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Unified AI Embed',
		name: 'embed',
		icon: { light: 'file:embed.svg', dark: 'file:embed.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["model"] || "Embed text" }}',
		description: 'Turn text into vectors with a unified AI gateway',
		builderHint: {
			searchHint: 'Turns texts into vectors. For a vector store, use Unified AI Embeddings Model instead.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-unified-ai-gateway.embeddingsModel',
					relationHint: 'Does this inside a vector store',
				},
			],
		},
		defaults: { name: 'Unified AI' },
		// Agents have no use for vectors.
		usableAsTool: undefined,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'unifiedAiGatewayApi', required: true, testedBy: 'testCredential' }],
		properties: describeOperations({ name: 'Embedding', value: 'embedding' }, operations),
	};

	methods = { listSearch: { searchModels: modelSearch('embedding') }, credentialTest: { testCredential } };

	async execute(this: IExecuteFunctions) {
		return await runOperations(this, operations, this.continueOnFail());
	}
}
