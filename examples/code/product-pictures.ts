/** Create a picture for each product of a list, and collect the products that fail with the reason. */
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const gateway = { unifiedAiGatewayApi: newCredential('Unified AI Gateway account') };

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const products = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Products',
		parameters: {
			mode: 'raw',
			jsonOutput: `{ "products": [
	{ "name": "lamp", "picture": "a brass desk lamp on a white background" },
	{ "name": "chair", "picture": "a wooden chair on a white background" }
] }`,
		},
	},
});

const each = node({
	type: 'n8n-nodes-base.splitOut',
	version: 1,
	config: { name: 'One item per product', parameters: { fieldToSplitOut: 'products' } },
});

const pictures = node({
	type: 'n8n-nodes-unified-ai-gateway.image',
	version: 1,
	config: {
		name: 'Pictures',
		parameters: {
			operation: 'generate',
			model: { __rl: true, mode: 'id', value: 'image-2' },
			prompt: expr('{{ $json.picture }}'),
			size: '1024x1024',
			options: { fileName: expr('{{ $json.name }}') },
		},
		credentials: gateway,
		onError: 'continueErrorOutput',
	},
});

const done = node({ type: 'n8n-nodes-base.noOp', version: 1, config: { name: 'Done' } });
const failed = node({ type: 'n8n-nodes-base.noOp', version: 1, config: { name: 'Failed' } });

export default workflow('product-pictures', 'Product pictures')
	.add(start)
	.to(products)
	.to(each)
	.to(pictures.onError(failed))
	.to(done);
