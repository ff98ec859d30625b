/** Generate a song for each row of a list, wait for all of them together, and download the tracks. */
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const gateway = { unifiedAiGatewayApi: newCredential('Unified AI Gateway account') };

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const songs = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Songs',
		parameters: {
			mode: 'raw',
			jsonOutput: `{ "songs": [
	{ "title": "First Snow", "style": "acoustic folk, calm", "lyrics": "The first snow falls on silent streets" },
	{ "title": "Morning Train", "style": "indie pop, bright", "lyrics": "Six fifteen, the platform hums" }
] }`,
		},
	},
});

const each = node({
	type: 'n8n-nodes-base.splitOut',
	version: 1,
	config: { name: 'One item per song', parameters: { fieldToSplitOut: 'songs' } },
});

const tracks = node({
	type: 'n8n-nodes-unified-ai-gateway.music',
	version: 1,
	config: {
		name: 'Tracks',
		parameters: {
			operation: 'generate',
			ownLyrics: true,
			lyrics: expr('{{ $json.lyrics }}'),
			style: expr('{{ $json.style }}'),
			title: expr('{{ $json.title }}'),
			waitForCompletion: true,
			options: { files: ['audio'] },
		},
		credentials: gateway,
	},
});

export default workflow('songs-from-a-list', 'Songs from a list').add(start).to(songs).to(each).to(tracks);
