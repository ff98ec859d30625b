import type { IHttpRequestOptions } from 'n8n-workflow';
import { GatewayClient, type GatewayRequest } from '../../nodes/shared/send/client';
import { endpoints } from '../../nodes/shared/send/endpoints';
import { FakeClock } from '../unit/fakeClock';
import { FakeContext, type FakeAnswer } from '../unit/shared/fakeContext';
import { KEY } from '../unit/shared/secrets/spellings';

const HOST = 'gateway.example';
let gateways = 0;

/** A client whose requests get these answers in turn, and then the last one again. */
export async function clientFor(answers: FakeAnswer[]) {
	let count = 0;
	const respond = () => answers[Math.min(count++, answers.length - 1)];
	// Each gateway has its own pace.
	const baseUrl = `https://${HOST}/${++gateways}`;
	const context = new FakeContext({ respond, credential: { baseUrl, apiKey: KEY } });
	const clock = new FakeClock();
	const client = await GatewayClient.of(context.execute, { clock });
	return {
		clock,
		sent: context.sent,
		/** Failures are without the key, as at every exit of the nodes. */
		send: async (request: Partial<GatewayRequest> = {}) => {
			try {
				return await clock.run(client.json({ endpoint: endpoints.models, maxRetries: 0, ...request }));
			} catch (error) {
				throw await client.redactor.failure(error);
			}
		},
		download: async (url: string) =>
			await clock.run(client.download(url, async ({ status }) => status, { maxRetries: 0 })),
	};
}

/** Requests that took the key to another host, or in their address. */
export function leaksOf(sent: Array<IHttpRequestOptions & { withKey: boolean }>): string[] {
	return sent
		.filter(({ url, withKey }) => (withKey && new URL(url).origin !== `https://${HOST}`) || url.includes(KEY))
		.map(({ url }) => url);
}
