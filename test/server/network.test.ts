import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { credentialType, prepareExample } from '../../tools/host/examples';
import { connectInOrder, manualTrigger, workflowNode } from '../../tools/host/workflowBuilder';
import { privateAuthority } from '../integration/faults/selfSigned';
import { byId, run } from './workflows';
import { type Proxy, type SecureFront, startProxy, startSecureFront } from './networkFronts';
import { apiKey, useServer } from './useServer';
import { protectedParts } from './versions';

/** The settings of docs/docker.md for a gateway in a private network, behind a proxy, with a private certificate. */

const environment: NodeJS.ProcessEnv = {};
const password = 'proxy-password-42';
let folder: string;
let proxy: Proxy;
let direct: SecureFront;
let tunnelled: SecureFront;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'unified-ai-network-'));
	const { authority, server } = privateAuthority('localhost');
	await writeFile(path.join(folder, 'authority.pem'), authority);
	proxy = await startProxy();
	direct = await startSecureFront(server);
	tunnelled = await startSecureFront(server);
	// A private address that is not allowed: the protection is about gateways.
	const proxyUrl = `http://robot:${password}@127.0.0.1:${proxy.port}`;
	Object.assign(environment, {
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
		// n8n ignores an address without the length of its prefix.
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1',
		HTTP_PROXY: proxyUrl,
		HTTPS_PROXY: proxyUrl,
		NO_PROXY: `127.0.0.1,localhost:${direct.port}`,
		// Spellings that would come first.
		http_proxy: undefined,
		https_proxy: undefined,
		no_proxy: undefined,
		NODE_EXTRA_CA_CERTS: undefined,
	});
});
const n8n = useServer(environment);
beforeAll(() => {
	for (const front of [direct, tunnelled]) front.target = n8n.emulator.url;
});
afterAll(async () => {
	for (const server of [direct, tunnelled]) server?.close();
	proxy?.stop();
	await rm(folder, { recursive: true, force: true });
});

beforeEach(() => {
	proxy.seen.length = 0;
	proxy.signIns.length = 0;
});

const paid = 'POST /v1/images/generations';

/** What an item of a paid operation becomes with this address in the credential. */
async function itemWith(baseUrl: string): Promise<Record<string, unknown>> {
	const credential = await n8n.rest.saveCredential('Network', credentialType, { baseUrl, apiKey });
	const image = workflowNode(
		'Image',
		`${n8n.packageName}.image`,
		1,
		{ operation: 'generate', model: byId('image-2'), prompt: 'A lighthouse', downloadImages: false },
		{ onError: 'continueRegularOutput' },
	);
	const nodes = [manualTrigger(), image];
	const workflow = { name: 'Network', nodes, connections: connectInOrder(nodes), settings: {} };
	const { runData } = await run(n8n, prepareExample(workflow, credential, n8n.nodeTypes, baseUrl));
	const item = runData.Image[0].data?.main?.[0]?.[0];
	expect(JSON.stringify(item)).not.toMatch(new RegExp(`${apiKey}|${password}`));
	return item?.json ?? {};
}

/** The item fails with these words, and nothing was sent; the test of the credential says the same. */
async function expectFailure(
	baseUrl: string,
	error: RegExp,
	advice: RegExp,
	isTestToo = true,
): Promise<void> {
	const item = await itemWith(baseUrl);
	expect(item).toMatchObject({
		error: expect.stringMatching(error),
		details: { description: expect.stringMatching(advice) },
	});
	expect(n8n.emulator.journal.count()).toBe(0);
	if (!isTestToo) return;
	const { status, message } = await n8n.rest.testCredential(n8n.credential, credentialType, {
		baseUrl,
		apiKey,
	});
	expect({ status, message }).toEqual({ status: 'Error', message: expect.stringMatching(advice) });
	expect(message).not.toMatch(new RegExp(`${apiKey}|${password}`));
	expect(n8n.emulator.journal.count()).toBe(0);
}

async function expectSuccess(baseUrl: string): Promise<void> {
	const item = await itemWith(baseUrl);
	expect(item).not.toHaveProperty('error');
	expect(n8n.emulator.journal.count(paid)).toBe(1);
}

const throughProxy = () => `http://localhost:${n8n.emulator.port}`;
const throughTunnel = () => `https://localhost:${tunnelled.port}`;
const secure = () => `https://localhost:${direct.port}`;

const itProtected = protectedParts.nodes ? it : it.skip;

describe('A gateway that n8n cannot reach with its settings', () => {
	itProtected('is in a private network that n8n protects', async () => {
		await expectFailure(
			n8n.emulator.url,
			/^n8n does not allow requests to 127\.0\.0\.1:\d+$/,
			/add 127\.0\.0\.1\/32 to N8N_SSRF_ALLOWED_IP_RANGES, and restart n8n\./,
			protectedParts.credentialTests,
		);
	});

	it('has the certificate of a private authority', async () => {
		await expectFailure(
			secure(),
			/^The certificate of localhost:\d+ is not valid$/,
			/set NODE_EXTRA_CA_CERTS to the file/,
		);
	});

	it.each([
		['http', throughProxy],
		['https', throughTunnel],
	])('is behind a proxy that asks for a password, or that is down, with %s', async (_scheme, url) => {
		const needsPassword = /^The proxy of this n8n requires a user name and a password \(status 407\)$/;
		const isDown = /^The proxy of this n8n \(127\.0\.0\.1:\d+\) could not be reached$/;
		try {
			proxy.refuses = true;
			await expectFailure(url(), needsPassword, /HTTP_PROXY and HTTPS_PROXY .* NO_PROXY/);
			proxy.stop();
			await expectFailure(url(), isDown, /HTTP_PROXY, HTTPS_PROXY, .* add localhost to NO_PROXY/);
		} finally {
			proxy.refuses = false;
			proxy.stop();
			await proxy.start();
		}
	});
});

describe('A gateway whose name only the proxy could resolve', () => {
	itProtected('is not found while n8n protects private addresses', async () => {
		const item = await itemWith('http://gateway.invalid');
		expect(item).toMatchObject({ error: 'The address gateway.invalid does not exist' });
		expect(proxy.seen).toEqual([]);
	});
});

describe('A gateway that n8n reaches after a restart with other settings', () => {
	beforeAll(async () => {
		Object.assign(environment, {
			N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
			NODE_EXTRA_CA_CERTS: path.join(folder, 'authority.pem'),
		});
		await n8n.restart();
	});

	it('is in a private network', async () => {
		await expectSuccess(n8n.emulator.url);
		expect(proxy.seen).toEqual([]);
	});

	it('has the certificate of a private authority', async () => {
		await expectSuccess(secure());
		expect(proxy.seen).toEqual([]);
	});

	it('is behind a proxy', async () => {
		await expectSuccess(throughProxy());
		expect(proxy.seen).toEqual([`${throughProxy()}/v1/images/generations`]);
		expect(proxy.signIns).toEqual([`Basic ${Buffer.from(`robot:${password}`).toString('base64')}`]);
	});

	it('is behind a proxy and has the certificate of a private authority', async () => {
		await expectSuccess(throughTunnel());
		expect(proxy.seen).toEqual([`localhost:${tunnelled.port}`]);
	});
});
