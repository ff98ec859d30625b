import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { credentialType } from '../../tools/host/examples';
import { findFreePort } from '../../tools/host/ports';
import { connectInOrder, manualTrigger, workflowNode } from '../../tools/host/workflowBuilder';
import { selfSigned } from '../integration/faults/selfSigned';
import { apiKey, useServer } from './useServer';

const n8n = useServer();
const servers: Server[] = [];

afterEach(() => {
	for (const server of servers.splice(0)) server.close().closeAllConnections();
});

const testWith = (data: Record<string, unknown>) =>
	n8n.rest.testCredential(n8n.credential, credentialType, {
		baseUrl: n8n.emulator.url,
		apiKey,
		...data,
	});

/** The host and port of a server with one answer for all requests. */
async function serve(answer: RequestListener, certificate?: { key: string; cert: string }): Promise<string> {
	const server = certificate ? createTlsServer(certificate, answer) : createServer(answer);
	servers.push(server.listen(0, '127.0.0.1'));
	await once(server, 'listening');
	return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const page =
	(status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
	(_request, response) =>
		response.writeHead(status, headers).end(body);

describe('The test of a credential', () => {
	it.each([
		['the address', (url: string) => ({ baseUrl: url })],
		['the version', (url: string) => ({ baseUrl: `${url}/v1` })],
		['"Bearer" before the key', () => ({ apiKey: `Bearer ${apiKey}` })],
	])('accepts the correct key with %s', async (_name, data) => {
		expect(await testWith(data(n8n.emulator.url))).toEqual({
			status: 'OK',
			message: expect.stringMatching(/^Connection successful\. Models that this key may use: \d+$/),
		});
	});

	it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, RegExp]>([
		[
			'a wrong key',
			() => ({ apiKey: 'sk-wrong-9876543210' }),
			/^The gateway did not accept the API key.* Enter API Key again\./,
		],
		[
			'a host that does not exist',
			() => ({ baseUrl: 'https://gateway.invalid' }),
			/^The address gateway\.invalid does not exist\. Check Base URL/,
		],
		[
			'a port at which nothing listens',
			async () => ({ baseUrl: `http://127.0.0.1:${await findFreePort()}` }),
			/^No gateway answers at 127\.0\.0\.1:\d+\. Check the host and port/,
		],
		[
			'https for a gateway with http',
			async () => ({ baseUrl: `https://${await serve(page(200, ''))}` }),
			/^A secure connection to .* could not be established\. Check whether Base URL/,
		],
		[
			'a certificate that n8n does not trust',
			async () => ({ baseUrl: `https://${await serve(page(200, ''), selfSigned('localhost'))}` }),
			/^The certificate of .* is not valid\./,
		],
		[
			'a web page',
			() => ({ baseUrl: n8n.server.url }),
			/^127\.0\.0\.1 answered with a web page instead of data\. Check Base URL/,
		],
	])('says what to do about %s', async (_name, data, words) => {
		const { status, message } = await testWith(await data());
		expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(words) });
		expect(message).not.toMatch(/sk-(?:wrong|server)|\bE[A-Z]{4,}\b/);
	});

	it('considers the advanced settings only while they are on', async () => {
		const settings = { alternateBaseUrl: 'no address' };
		expect(await testWith({ ...settings, advancedSettings: true })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('Alternate Base URL in the credential'),
		});
		expect(await testWith({ ...settings, advancedSettings: false })).toMatchObject({ status: 'OK' });
		expect(await testWith(settings)).toMatchObject({ status: 'OK' });
	});
});

describe('The credential in the HTTP Request node', () => {
	const request = async (url: string) => {
		const nodes = [
			manualTrigger(),
			workflowNode(
				'Request',
				'n8n-nodes-base.httpRequest',
				4.2,
				{
					url,
					authentication: 'predefinedCredentialType',
					nodeCredentialType: credentialType,
					options: {},
				},
				{ credentials: { [credentialType]: n8n.credential } },
			),
		];
		const workflow = { name: 'Request', nodes, connections: connectInOrder(nodes), settings: {} };
		return await n8n.rest.runWorkflow(await n8n.rest.saveWorkflow(workflow), 'Start', 60_000);
	};

	it('signs requests to its own addresses', async () => {
		const { status, runData } = await request(`${n8n.emulator.url}/v1/models`);
		expect(status).toBe('success');
		expect(JSON.stringify(runData.Request)).toContain('aurora-4');
	});

	it('does not give the key to another host', async () => {
		const received: string[] = [];
		const host = await serve(({ headers }, response) => {
			received.push(JSON.stringify(headers));
			response.end('{}');
		});
		const { error } = await request(`http://${host}/v1/models`);
		expect(JSON.stringify(error)).toContain('The API key is not sent to this address');
		expect(received).toEqual([]);
	});
});
