/** Sort customer feedback into complaint, praise, and question, with a summary of each. */
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const gateway = { unifiedAiGatewayApi: newCredential('Unified AI Gateway account') };

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const feedback = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Feedback',
		parameters: {
			mode: 'raw',
			jsonOutput: `{ "rows": [
	{ "id": 1, "text": "The delivery came 3 days late. This is a complaint." },
	{ "id": 2, "text": "I love the new colours, 5 stars and all my praise!" },
	{ "id": 3, "text": "Question: do you ship to Norway, and for how much?" }
] }`,
		},
	},
});

const each = node({
	type: 'n8n-nodes-base.splitOut',
	version: 1,
	config: { name: 'One item per row', parameters: { fieldToSplitOut: 'rows' } },
});

const sort = node({
	type: 'n8n-nodes-unified-ai-gateway.chat',
	version: 1,
	config: {
		name: 'Sort',
		parameters: {
			operation: 'chatCompletion',
			model: { __rl: true, mode: 'id', value: 'aurora-4-mini' },
			prompt: expr('Sort this feedback of a customer: {{ $json.text }}'),
			output: 'json',
			schemaFrom: 'schema',
			jsonSchema: `{
				"type": "object",
				"required": ["category", "summary"],
				"additionalProperties": false,
				"properties": {
					"category": { "enum": ["complaint", "praise", "question"] },
					"summary": { "type": "string", "minLength": 1 }
				}
			}`,
			options: { temperature: 0 },
		},
		credentials: gateway,
	},
});

const sorted = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Sorted feedback',
		parameters: {
			mode: 'raw',
			jsonOutput: expr(
				"{{ { id: $('One item per row').item.json.id, category: $json.data.category, summary: $json.data.summary } }}",
			),
		},
	},
});

export default workflow('sort-feedback', 'Sort feedback')
	.add(start)
	.to(feedback)
	.to(each)
	.to(sort)
	.to(sorted);
