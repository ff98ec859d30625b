import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerUnderTest } from './useServer';

/** One line of a streaming answer, and when it arrived, in ms. */
export interface Line {
	type: string;
	content?: string;
	metadata: { nodeName: string };
	at: number;
}

/** Calls a webhook or chat that answers by streaming. */
export async function callStreaming(n8n: ServerUnderTest, path: string, body: object): Promise<Line[]> {
	const startedAt = performance.now();
	let response: Response;
	do {
		response = await fetch(`${n8n.server.url}/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		// Webhooks register a moment after their workflow is published.
		if (response.status === 404) await sleep(250);
	} while (response.status === 404 && performance.now() - startedAt < 10_000);
	expect(response.status).toBe(200);

	const lines: Line[] = [];
	let rest = '';
	for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
		const pieces = (rest + chunk).split('\n');
		rest = pieces.pop() ?? '';
		const at = performance.now() - startedAt;
		for (const piece of pieces.filter(Boolean)) lines.push({ ...(JSON.parse(piece) as Line), at });
	}
	return lines;
}

/** What the caller reads. */
export function textOf(lines: Line[]): string {
	return lines
		.filter(({ type }) => type === 'item')
		.map(({ content }) => content)
		.join('');
}
