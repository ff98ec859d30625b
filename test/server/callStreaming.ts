import { callWebhook } from '../../tools/host/webhook';
import type { ServerUnderTest } from './useServer';

/** A line of a streamed response; `at` is when it arrived, in ms after the call. */
interface Line {
	type: string;
	content?: string;
	metadata: { nodeName: string };
	at: number;
}

/** Calls a webhook or chat trigger that streams its response; returns all lines. */
export async function callStreaming(n8n: ServerUnderTest, path: string, body: object): Promise<Line[]> {
	const startedAt = performance.now();
	const response = await callWebhook(`${n8n.webhookUrl}/${path}`, body);
	expect(response.status).toBe(200);

	const lines: Line[] = [];
	let rest = '';
	for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
		const texts = (rest + chunk).split('\n');
		rest = texts.pop() ?? '';
		const at = performance.now() - startedAt;
		for (const text of texts.filter(Boolean)) lines.push({ ...(JSON.parse(text) as Line), at });
	}
	return lines;
}

/** Asks something in a chat that streams its answers; returns all lines. */
export async function askChat(
	n8n: ServerUnderTest,
	chat: string,
	chatInput: string,
	sessionId = 'test',
): Promise<Line[]> {
	return await callStreaming(n8n, `webhook/${chat}/chat`, { action: 'sendMessage', sessionId, chatInput });
}

/** The text that the caller receives. */
export function textOf(lines: Line[]): string {
	return lines
		.filter(({ type }) => type === 'item')
		.map(({ content }) => content)
		.join('');
}

/** Most of a text was still to come when its beginning arrived, because the gateway pauses before each chunk. */
export function expectLive(lines: Line[], pauseMs: number): void {
	const chunks = lines.filter(({ type, content }) => type === 'item' && content);
	expect(chunks.length).toBeGreaterThan(20);
	expect(lines.at(-1)!.at - chunks[0].at).toBeGreaterThan((chunks.length - 2) * pauseMs * 0.9);
}
