import { startEmulator, type Emulator } from '../../../emulator';
import { isCoreSince, KEEPS_ERRORS } from '../engine/core';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { startConnectionServer, type ConnectionServer } from './connectionFaults';
import { useFastClock } from './fastClock';
import { startSwallowingServer, type SwallowingServer } from './swallowingServer';

useFastClock(10);
jest.setTimeout(120_000);

const chatParameters = {
	operation: 'chatCompletion',
	model: { __rl: true, mode: 'id', value: 'aurora-4' },
	prompt: 'Why?',
};

let swallowing: SwallowingServer;
let silent: ConnectionServer;
let second: Emulator;
beforeAll(async () => {
	for (const name of ['NO_PROXY', 'no_proxy', 'http_proxy', 'https_proxy']) delete process.env[name];
	swallowing = await startSwallowingServer();
	silent = await startConnectionServer({ insteadOfHandshake: () => undefined });
	second = await startEmulator({ v1Only: true });
});
afterEach(() => second.journal.clear());
afterAll(async () => {
	swallowing.close();
	await Promise.all([silent.close(), second.close()]);
});

async function run(baseUrl: string, rows: number, more: object = {}, node = 'chat') {
	const options = { maxRetries: 0 };
	const parameters =
		node === 'chat'
			? { ...chatParameters, options }
			: { operation: 'getManyModels', returnAll: true, options };
	const { items } = await runWorkflow(oneNode(node, parameters, { onError: 'continueRegularOutput' }), {
		credential: { baseUrl, apiKey: second.apiKey, ...more },
		input: Array.from({ length: rows }, (_, row) => ({ json: { row } })),
	});
	return items.map(({ json }) => json);
}
const paid = () => second.journal.count(({ path }) => path === '/v1/chat/completions');

describe('A connection that nobody answers', () => {
	it.each([
		['of a firewall that drops packets', () => `https://${swallowing.host}`],
		['in its handshake', () => silent.url],
	])('%s: each row is sent once, to the other address', async (_name, baseUrl) => {
		const items = await run(baseUrl(), 3, { alternateBaseUrl: second.url });
		expect(items.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
		expect(paid()).toBe(3);
	});

	it('fails as not connected without another address', async () => {
		const [{ details }] = await run(silent.url, 1);
		expect(details).toMatchObject({
			kind: 'unreachable',
			attempts: 1,
			description: expect.stringMatching(/firewall.* Nothing was sent\.$/),
		});
		expect(details).not.toHaveProperty('mayHaveBeenCarriedOut');
	});

	const itIfErrorsAreKept = isCoreSince(KEEPS_ERRORS) ? it : it.skip;
	itIfErrorsAreKept('without encryption and without a body: the other address is used as well', async () => {
		const alternate = { alternateBaseUrl: second.url };
		const baseUrl = `http://${swallowing.host}`;
		const [[models], [answer]] = await Promise.all([
			run(baseUrl, 1, alternate, 'account'),
			run(baseUrl, 1, alternate),
		]);
		expect([models.error, answer.error]).toEqual([undefined, undefined]);
		expect(paid()).toBe(1);
	});
});
