import { callWebhook } from '../../tools/host/webhook';
import type { ServerUnderTest } from './useServer';

/** A line of a streamed response. */
interface Line {
	type: string;
	content?: string;
	metadata: { nodeName: string };
	/** True if the gateway was still answering when the line arrived. */
	isEarly: boolean;
}

/** Calls a webhook or chat trigger that streams its response, and returns all lines. */
export async function callStreaming(n8n: ServerUnderTest, path: string, body: object): Promise<Line[]> {
	const response = await callWebhook(`${n8n.webhookUrl}/${path}`, body);
	expect(response.status).toBe(200);

	const lines: Line[] = [];
	let rest = '';
	for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
		const texts = (rest + chunk).split('\n');
		rest = texts.pop() ?? '';
		const isEarly = n8n.emulator.journal.count(({ finishedAt }) => finishedAt === null) > 0;
		for (const text of texts.filter(Boolean)) lines.push({ ...(JSON.parse(text) as Line), isEarly });
	}
	return lines;
}

/** Asks a question in a chat that streams its answers, and returns all lines. */
export async function askChat(
	n8n: ServerUnderTest,
	chat: string,
	chatInput: string,
	sessionId = 'test',
): Promise<Line[]> {
	return await callStreaming(n8n, `webhook/${chat}/chat`, { action: 'sendMessage', sessionId, chatInput });
}

/** Returns the text that the caller receives. */
export function textOf(lines: Line[]): string {
	return lines
		.filter(({ type }) => type === 'item')
		.map(({ content }) => content)
		.join('');
}

/** A text of many parts arrived at least by half while the gateway, which pauses before each part, was still sending it. */
export function expectLive(lines: Line[]): void {
	const chunks = lines.filter(({ type, content }) => type === 'item' && content);
	expect(chunks.length).toBeGreaterThan(20);
	expect(chunks[0].isEarly).toBe(true);
	expect(chunks[Math.floor(chunks.length / 2)].isEarly).toBe(true);
}
