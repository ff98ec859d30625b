import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { credentialType, importExamples } from '../../tools/host/examples';
import { folders } from '../../tools/host/folders';
import type { Workflow } from '../../tools/host/n8nTypes';
import type { ExampleResult } from '../../tools/host/runExample';
import { connectInOrder, manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import { decode } from '../audioTools';
import { startLocalServer } from '../localServer';
import { askChat, textOf } from './callStreaming';
import { apiKey, useServer } from './useServer';
import { run } from './workflows';

const n8n = useServer();
/** That of `decode`, in Hertz. */
const SAMPLE_RATE = 24_000;

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

describe('Example "Daily briefing"', () => {
	let briefing: Workflow;
	let result: ExampleResult;

	beforeAll(async () => {
		briefing = await n8n.example('Daily briefing');
		result = await n8n.runExample('Daily briefing');
	});

	it('speaks English, with the date', () => {
		const [{ body }] = n8n.emulator.journal.entries(({ path: address }) => address === '/v1/audio/speech');
		const { input } = body as { input: string };
		expect(input).toMatch(/welcome to your briefing for [A-Z][a-z]+day, \d{1,2} [A-Z][a-z]+ \d{4}\./);
		expect(input).not.toMatch(/\p{Script=Han}/u);
	});

	it('outputs one audio file without gaps or extra bytes', async () => {
		const audio = result.files.filter(({ mimeType }) => mimeType.startsWith('audio/'));
		expect(audio).toHaveLength(1);
		const [file] = audio;
		expect(path.extname(file.fileName)).toBe('.mp3');
		// It throws for bytes that are no sound.
		const { samples } = decode(await n8n.rest.file(file.id));
		expect(samples.length).toBeGreaterThan(10 * SAMPLE_RATE);
	});

	it('outputs a podcast feed with the episode', async () => {
		const file = result.files.find(({ fileName }) => fileName === 'daily-briefing.xml');
		const feed = (await n8n.rest.file(file!.id)).toString();
		expect(feed).toMatch(/^<\?xml .*\n<rss [\s\S]*<\/rss>$/);
		const [, address, bytes] = /<enclosure url="([^"]+\.mp3)" length="(\d+)" type="audio\/mpeg"\/>/.exec(
			feed,
		)!;
		expect(URL.canParse(address)).toBe(true);
		const [audio] = result.files.filter(({ mimeType }) => mimeType === 'audio/mpeg');
		expect(await n8n.rest.file(audio.id)).toHaveLength(Number(bytes));
		expect(feed).not.toMatch(/undefined|NaN|Invalid/);
	});

	it('keeps changes from the editor when the examples are imported again', async () => {
		const digestFile = path.join(n8n.home, 'examples.json');
		const prepared = n8n.prepare(briefing);
		const id = (await n8n.rest.workflowIds()).get(prepared.name) as string;
		await n8n.rest.saveWorkflow({ ...prepared, nodes: prepared.nodes.slice(0, 1), connections: {} }, id);

		const [again] = await importExamples(n8n.rest, [prepared], digestFile);
		expect(again.workflowId).toBe(id);
		expect((await n8n.rest.workflow(id)).nodes).toHaveLength(1);

		const changed = { ...prepared, settings: { ...prepared.settings, saveManualExecutions: true } };
		await importExamples(n8n.rest, [changed], digestFile);
		expect((await n8n.rest.workflow(id)).nodes).toHaveLength(prepared.nodes.length);
		expect((await n8n.rest.workflowIds()).size).toBe(1);
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

describe('The credential in the HTTP Request node', () => {
	it('does not give the key to another host', async () => {
		const received: string[] = [];
		const other = await startLocalServer(({ headers }, response) => {
			received.push(JSON.stringify(headers));
			response.end('{}');
		});
		const parameters = {
			url: `${other.url}/v1/models`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credentialType,
			options: {},
		};
		const credentials = { [credentialType]: n8n.credential };
		const request = node('Request', 'n8n-nodes-base.httpRequest', 4.2, parameters, { credentials });
		const nodes = [manualTrigger(), request];
		const workflow = { name: 'Request', nodes, connections: connectInOrder(nodes), settings: {} };
		const { error } = await run(n8n, workflow);
		await other.close();
		expect(JSON.stringify(error)).toContain('The API key is not sent to this address');
		expect(received).toEqual([]);
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
		const [first] = lines.filter(({ type }) => type === 'item');
		const last = lines[lines.length - 1];
		const chunks = lines.filter(({ type }) => type === 'item').length;
		// The gateway pauses before each chunk, so most chunks were still to come.
		expect(chunks).toBeGreaterThan(20);
		expect(last.at - first.at).toBeGreaterThan((chunks - 2) * 60 * 0.9);
	});
});

describe('Log of n8n', () => {
	it('does not contain the API key', async () => {
		expect(await readFile(n8n.server.logFile, 'utf8')).not.toContain(apiKey);
	});
});
