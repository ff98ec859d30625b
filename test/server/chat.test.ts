import { callStreaming, textOf } from './callStreaming';
import { useServer } from './useServer';

const n8n = useServer();

const ask = async (chatInput: string) =>
	await callStreaming(n8n, 'webhook/streaming-chat/chat', {
		action: 'sendMessage',
		sessionId: 'test',
		chatInput,
	});

describe('Example "Streaming chat"', () => {
	it('streams the first words while the gateway is still sending', async () => {
		const id = await n8n.rest.saveWorkflow(n8n.prepare(await n8n.example('Streaming chat')));
		await n8n.rest.publish(id);
		n8n.emulator.behaviour.set('POST /v1/chat/completions', { stream: { deltaDelayMs: 60 } });
		const lines = await ask('Why is the sky blue?');

		expect(lines.at(0)?.type).toBe('begin');
		expect(lines.at(-1)?.type).toBe('end');
		expect(textOf(lines)).toContain('Why is the sky blue?');
		const [first] = lines.filter(({ type }) => type === 'item');
		const last = lines[lines.length - 1];
		const chunks = lines.filter(({ type }) => type === 'item').length;
		// The gateway pauses before each chunk, so most chunks were still to come.
		expect(chunks).toBeGreaterThan(20);
		expect(last.at - first.at).toBeGreaterThan((chunks - 2) * 60 * 0.9);
	});
});
