/** Make a QR code for each link of a list. */
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const gateway = { unifiedAiGatewayApi: newCredential('Unified AI Gateway account') };

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const links = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Links',
		parameters: {
			mode: 'raw',
			jsonOutput: `{ "links": [
	{ "name": "shop", "url": "https://shop.example.com" },
	{ "name": "map", "url": "https://map.example.com/?q=Hangzhou" }
] }`,
		},
	},
});

const each = node({
	type: 'n8n-nodes-base.splitOut',
	version: 1,
	config: { name: 'One item per link', parameters: { fieldToSplitOut: 'links' } },
});

const codes = node({
	type: 'n8n-nodes-unified-ai-gateway.utilities',
	version: 1,
	config: {
		name: 'QR codes',
		parameters: {
			operation: 'qrCode',
			text: expr('{{ $json.url }}'),
			encoding: 'image',
			options: { size: 512, level: 'Q' },
		},
		credentials: gateway,
	},
});

export default workflow('code-for-each-link', 'Code for each link').add(start).to(links).to(each).to(codes);
