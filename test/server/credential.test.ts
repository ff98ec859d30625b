import { credentialType } from '../../tools/host/examples';
import { connectInOrder, manualTrigger, workflowNode } from '../../tools/host/workflowBuilder';
import { startLocalServer } from '../localServer';
import { apiKey, useServer } from './useServer';
import { run } from './workflows';

const n8n = useServer();
const testWith = (data: Record<string, unknown>) =>
	n8n.rest.testCredential(n8n.credential, credentialType, { baseUrl: n8n.emulator.url, apiKey, ...data });

describe('The test of a credential', () => {
	it('accepts the correct key', async () => {
		expect(await testWith({})).toEqual({
			status: 'OK',
			message: expect.stringMatching(/^Connection successful\. Models that this key may use: \d+$/),
		});
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
		return await run(n8n, workflow);
	};

	it('signs requests to its own addresses', async () => {
		const { status, runData } = await request(`${n8n.emulator.url}/v1/models`);
		expect(status).toBe('success');
		expect(JSON.stringify(runData.Request)).toContain('aurora-4');
	});

	it('does not give the key to another host', async () => {
		const received: string[] = [];
		const other = await startLocalServer(({ headers }, response) => {
			received.push(JSON.stringify(headers));
			response.end('{}');
		});
		const { error } = await request(`${other.url}/v1/models`);
		await other.close();
		expect(JSON.stringify(error)).toContain('The API key is not sent to this address');
		expect(received).toEqual([]);
	});
});
