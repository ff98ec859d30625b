import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { credentialType } from '../../tools/host/examples';
import { folders } from '../../tools/host/folders';
import { askChat, expectLive, textOf } from './callStreaming';
import { apiKey, useServer } from './useServer';
import { executionsOf } from './workflows';

const n8n = useServer();

describe('The package from its tarball', () => {
	it('registers every node with a display name that starts with "Unified AI"', async () => {
		const manifest = JSON.parse(await readFile(path.join(folders.project, 'package.json'), 'utf8')) as {
			n8n: { nodes: string[] };
		};
		const ours = n8n.nodeTypes.filter(({ name }) => name.startsWith(`${n8n.packageName}.`));
		const files = ours
			.map(({ name }) => name.slice(n8n.packageName.length + 1))
			.filter((name) => !name.endsWith('Tool'));
		const expected = manifest.n8n.nodes.map((file) => path.basename(file, '.node.js'));
		expect(files.map((name) => name[0].toUpperCase() + name.slice(1)).sort()).toEqual(expected.sort());
		for (const { displayName } of ours) expect(displayName).toMatch(/^Unified AI /);
	});

	it('serves the icons of every node and of the credential', async () => {
		const withIcons = [...n8n.nodeTypes, ...(await n8n.rest.credentialTypes())].filter(
			({ name }) => name.startsWith(`${n8n.packageName}.`) || name === credentialType,
		);
		const urls = withIcons.flatMap(({ iconUrl }) =>
			typeof iconUrl === 'object' ? Object.values(iconUrl) : [iconUrl],
		);
		expect(withIcons.map(({ name }) => name)).toContain(credentialType);
		expect(urls.length).toBeGreaterThan(withIcons.length);
		for (const url of new Set(urls)) {
			const response = await fetch(`${n8n.server.url}/${url}`);
			expect({ url, status: response.status }).toEqual({ url, status: 200 });
			expect(await response.text()).toContain('<svg');
		}
	});

	it('loads without warnings', async () => {
		const log = await readFile(n8n.server.logFile, 'utf8');
		const about = log
			.split('\n')
			.filter((line) => line.includes(n8n.packageName) || /failed to load|error loading/i.test(line))
			// Some versions of n8n log warnings about their own nodes.
			.filter((line) => !line.includes('"n8n-nodes-base.'));
		expect(about).toEqual([]);
	});
});

const testWith = (data: Record<string, unknown>) =>
	n8n.rest.testCredential(n8n.credential, credentialType, { baseUrl: n8n.emulator.url, apiKey, ...data });

describe('The test of a credential', () => {
	it('considers the advanced settings only while they are on', async () => {
		const settings = { alternateBaseUrl: 'no address' };
		expect(await testWith({ ...settings, advancedSettings: true })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('Alternate Base URL in the credential'),
		});
		const message = expect.stringMatching(/^Connection successful\. Models that this key may use: \d+$/);
		expect(await testWith({ ...settings, advancedSettings: false })).toEqual({ status: 'OK', message });
		expect(await testWith(settings)).toEqual({ status: 'OK', message });
	});
});

describe('Example "Streaming chat"', () => {
	it('streams the first words while the gateway is still sending', async () => {
		const id = await n8n.rest.saveWorkflow(n8n.prepare(await n8n.example('Streaming chat')));
		await n8n.rest.publish(id);
		n8n.emulator.behaviour.set('POST /v1/chat/completions', { stream: { deltaDelayMs: 60 } });
		const chatInput = 'Why is the sky blue?';
		const lines = await askChat(n8n, 'streaming-chat', chatInput);

		expect(lines.at(0)?.type).toBe('begin');
		expect(lines.at(-1)?.type).toBe('end');
		expect(textOf(lines)).toContain(chatInput);
		expectLive(lines);
	});
});

it('The logs of n8n do not contain the API key; in queue mode, workers have run what was executed', async () => {
	const { server, workers } = n8n;
	for (const { logFile } of [server, ...workers]) {
		expect(await readFile(logFile, 'utf8')).not.toContain(apiKey);
	}
	const executed = await Promise.all(workers.map(async ({ logFile }) => await executionsOf(logFile)));
	if (workers.length > 0) expect(executed.flat()).not.toEqual([]);
});
