/** Every morning at seven, have a script of the world news written and spoken as an MP3 file. */
import { expr, newCredential, node, trigger, workflow } from '@n8n/workflow-sdk';

const gateway = { unifiedAiGatewayApi: newCredential('Unified AI Gateway account') };

const everyMorning = trigger({
	type: 'n8n-nodes-base.scheduleTrigger',
	version: 1.2,
	config: { name: 'Every morning', parameters: { rule: { interval: [{ triggerAtHour: 7 }] } } },
});

const news = node({
	type: 'n8n-nodes-unified-ai-gateway.utilities',
	version: 1,
	config: {
		name: 'World news',
		parameters: { operation: 'worldNews', encoding: 'text' },
		credentials: gateway,
	},
});

const script = node({
	type: 'n8n-nodes-unified-ai-gateway.chat',
	version: 1,
	config: {
		name: 'Write script',
		parameters: {
			operation: 'chatCompletion',
			model: { __rl: true, mode: 'id', value: 'aurora-4-mini' },
			prompt: expr('Turn this news digest into a script of three minutes in English:\n\n{{ $json.text }}'),
			systemPrompt: 'You write for the radio. Answer with the script only.',
		},
		credentials: gateway,
	},
});

const speech = node({
	type: 'n8n-nodes-unified-ai-gateway.speech',
	version: 1,
	config: {
		name: 'Speak',
		parameters: {
			operation: 'create',
			model: { __rl: true, mode: 'id', value: 'svc-tts' },
			text: expr('{{ $json.text }}'),
			voice: { __rl: true, mode: 'id', value: 'Anders' },
			format: 'mp3',
		},
		credentials: gateway,
	},
});

export default workflow('morning-news', 'Morning news').add(everyMorning).to(news).to(script).to(speech);
