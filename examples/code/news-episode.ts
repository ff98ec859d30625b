/** Join several stories, each with its own voice and chapter, into one MP3 episode with subtitles. */
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const gateway = { unifiedAiGatewayApi: newCredential('Unified AI Gateway account') };

const start = trigger({ type: 'n8n-nodes-base.manualTrigger', version: 1, config: { name: 'Start' } });

const stories = node({
	type: 'n8n-nodes-base.set',
	version: 3.4,
	config: {
		name: 'Stories',
		parameters: {
			mode: 'raw',
			jsonOutput: `{ "stories": [
	{ "title": "Harbour", "voice": "Anders", "text": "The new harbour opens on Monday. Twelve ships are expected." },
	{ "title": "Weather", "voice": "Beatrix", "text": "It stays dry and mild until the weekend." }
] }`,
		},
	},
});

const each = node({
	type: 'n8n-nodes-base.splitOut',
	version: 1,
	config: { name: 'One item per story', parameters: { fieldToSplitOut: 'stories' } },
});

const episode = node({
	type: 'n8n-nodes-unified-ai-gateway.speech',
	version: 1,
	config: {
		name: 'Episode',
		parameters: {
			operation: 'joinItems',
			source: 'text',
			model: { __rl: true, mode: 'id', value: 'svc-tts' },
			text: expr('{{ $json.text }}'),
			voice: { __rl: true, mode: 'id', value: expr('{{ $json.voice }}') },
			tags: {
				title: expr('News of {{ $today.toISODate() }}'),
				artist: 'Radio n8n',
				chapterTitle: expr('{{ $json.title }}'),
				subtitles: 'srt',
			},
		},
		credentials: gateway,
	},
});

export default workflow('news-episode', 'News episode').add(start).to(stories).to(each).to(episode);
