import { setTimeout as sleep } from 'node:timers/promises';

/** The time that n8n may take to register a webhook after its workflow was published, in ms. */
const registeredWithinMs = 10_000;

/** Posts JSON to a webhook as soon as n8n has registered it. */
export async function callWebhook(url: string, body: object): Promise<Response> {
	const deadline = Date.now() + registeredWithinMs;
	for (;;) {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		if (response.status !== 404 || Date.now() > deadline) return response;
		await response.text();
		await sleep(250);
	}
}
