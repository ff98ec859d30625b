/** Submit songs, let the execution sleep in n8n's database until they are finished, and then download the tracks. */
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

const submit = node({
	type: 'n8n-nodes-unified-ai-gateway.music',
	version: 1,
	config: {
		name: 'Submit',
		parameters: {
			operation: 'generate',
			customMode: true,
			lyrics: expr('{{ $json.lyrics }}'),
			style: expr('{{ $json.style }}'),
			title: expr('{{ $json.title }}'),
			waitForCompletion: false,
		},
		credentials: gateway,
	},
});

const wait = node({
	type: 'n8n-nodes-unified-ai-gateway.musicWait',
	version: 1,
	config: {
		name: 'Wait for songs',
		parameters: { taskId: expr('{{ $json.taskId }}') },
		credentials: gateway,
	},
});

const tracks = node({ type: 'n8n-nodes-base.noOp', version: 1, config: { name: 'Tracks' } });

export default workflow('songs-while-sleeping', 'Songs while sleeping')
	.add(start)
	.to(songs)
	.to(each)
	.to(submit)
	.to(wait)
	.add(wait.output(0).to(wait))
	.add(wait.output(1).to(tracks));
