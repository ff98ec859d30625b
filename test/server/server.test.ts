import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import {
	credentialType,
	type ExampleResult,
	importExamples,
	prepareExample,
	readExamples,
	runExample,
} from '../../demo/examples';
import { installN8n } from '../../demo/install';
import { installNodes, packNodes } from '../../demo/pack';
import { findFreePort } from '../../demo/ports';
import { type Credential, N8nRest, type NodeType, type Workflow } from '../../demo/rest';
import { type N8nServer, startN8n } from '../../demo/server';
import { folders } from '../../demo/settings';
import { type Emulator, startEmulator } from '../../emulator';
import { inspectMp3 } from './mp3';

const apiKey = 'sk-server-test-0123456789';
const credentialName = 'Gateway';

let home: string;
let outputFolder: string;
let packageName: string;
let emulator: Emulator;
let server: N8nServer;
let rest: N8nRest;
let credential: Credential;
let nodeTypes: NodeType[];

beforeAll(async () => {
	home = await realpath(await mkdtemp(path.join(tmpdir(), 'unified-ai-gateway-')));
	outputFolder = path.join(home, 'output');
	const userFolder = path.join(home, 'user');
	const installation = await installN8n();
	const nodes = await packNodes();
	packageName = nodes.packageName;
	await installNodes(nodes, userFolder);
	emulator = await startEmulator({ apiKey });
	const port = await findFreePort();
	const logFile = path.join(home, 'n8n.log');
	server = await startN8n({ installation, port, userFolder, outputFolder, logFile });
	rest = new N8nRest(server.url, installation);
	await rest.signIn({ email: 'owner@n8n.example', password: 'Server-test-1' });
	credential = await rest.saveCredential(credentialName, credentialType, { baseUrl: emulator.url, apiKey });
	nodeTypes = await rest.nodeTypes();
});

afterAll(async () => {
	await server?.stop();
	await emulator?.close();
	await rm(home, { recursive: true, force: true });
});

describe('the package from the tarball', () => {
	it('offers every node under a name of the family', async () => {
		const manifest = JSON.parse(await readFile(path.join(folders.project, 'package.json'), 'utf8')) as {
			n8n: { nodes: string[] };
		};
		const ours = nodeTypes.filter(({ name }) => name.startsWith(`${packageName}.`));
		const files = ours
			.map(({ name }) => name.slice(packageName.length + 1))
			.filter((name) => !name.endsWith('Tool'));
		const expected = manifest.n8n.nodes.map((file) => path.basename(file, '.node.js'));
		expect(files.map((name) => name[0].toUpperCase() + name.slice(1)).sort()).toEqual(expected.sort());
		for (const { displayName } of ours) expect(displayName).toMatch(/^Unified AI /);
	});

	it('offers the credential type', async () => {
		const types = await rest.credentialTypes();
		expect(types.map(({ name }) => name)).toContain(credentialType);
	});

	it('serves the icons of every node and of the credential', async () => {
		const withIcons = [...nodeTypes, ...(await rest.credentialTypes())].filter(
			({ name }) => name.startsWith(`${packageName}.`) || name === credentialType,
		);
		const urls = withIcons.flatMap(({ iconUrl }) =>
			typeof iconUrl === 'object' ? Object.values(iconUrl) : [iconUrl],
		);
		expect(urls.length).toBeGreaterThan(withIcons.length);
		for (const url of new Set(urls)) {
			const response = await fetch(`${server.url}/${url}`);
			expect({ url, status: response.status }).toEqual({ url, status: 200 });
			expect(await response.text()).toContain('<svg');
		}
	});

	it('loads without a warning', async () => {
		const log = await readFile(server.logFile, 'utf8');
		const about = log
			.split('\n')
			.filter((line) => line.includes(packageName) || /failed to load|error loading/i.test(line));
		expect(about).toEqual([]);
	});
});

describe('the credential test', () => {
	const testWith = (data: { baseUrl?: string; apiKey?: string }) =>
		rest.testCredential(credential, credentialType, { baseUrl: emulator.url, apiKey, ...data });

	it.each([
		['as it is', ''],
		['with a slash at the end', '/'],
		['with /v1 at the end', '/v1'],
	])('accepts the right key and the address %s', async (_how, ending) => {
		expect(await testWith({ baseUrl: emulator.url + ending })).toMatchObject({ status: 'OK' });
	});

	it('tells a wrong key from a wrong address, and names no key', async () => {
		const wrongKey = await testWith({ apiKey: 'sk-wrong-9876543210' });
		const nobodyThere = await testWith({ baseUrl: `http://127.0.0.1:${await findFreePort()}` });
		const aWebPage = await testWith({ baseUrl: server.url });
		const tests = [wrongKey, nobodyThere, aWebPage];
		expect(tests.map(({ status }) => status)).toEqual(['Error', 'Error', 'Error']);
		expect(wrongKey.message).toMatch(/key/i);
		// n8n's tester shows the bare network code here whatever the credential says; docs/credential.md explains it.
		expect(nobodyThere.message).toMatch(/ECONNREFUSED|address/);
		expect(aWebPage.message).toMatch(/Base URL/);
		expect(nobodyThere.message).not.toBe(wrongKey.message);
		expect(aWebPage.message).not.toBe(wrongKey.message);
		for (const { message } of tests) expect(message).not.toMatch(/sk-(?:wrong|server)/);
	});
});

describe('the daily briefing', () => {
	let briefing: Workflow;
	let result: ExampleResult;

	beforeAll(async () => {
		const examples = await readExamples(folders.examples);
		briefing = examples.find(({ name }) => name === 'Daily briefing') as Workflow;
		const prepared = prepareExample(briefing, credential, nodeTypes, outputFolder);
		const [imported] = await importExamples(rest, [prepared], path.join(home, 'examples.json'));
		emulator.journal.clear();
		result = await runExample(rest, { ...imported, trigger: imported.trigger as string }, outputFolder);
	});

	it('runs every node to its end', () => {
		expect(result).toMatchObject({ succeeded: true, reason: undefined });
		const enabled = briefing.nodes.filter(
			({ type, disabled }) => !disabled && type !== 'n8n-nodes-base.stickyNote',
		);
		expect(result.nodes.map(({ name }) => name).sort()).toEqual(enabled.map(({ name }) => name).sort());
		expect(result.nodes.filter(({ items, failure }) => items === 0 || failure)).toEqual([]);
	});

	it('asks the gateway for news, a script and speech, with the key', () => {
		for (const route of ['GET /v2/apis/*', 'POST /v1/chat/completions', 'POST /v1/audio/speech']) {
			expect({ route, requests: emulator.journal.count(route) }).not.toMatchObject({ requests: 0 });
		}
		expect(emulator.journal.entries(({ key, path }) => key !== 'valid' && path.startsWith('/v1/'))).toEqual(
			[],
		);
	});

	it('writes one audio file that plays from its first byte to its last', async () => {
		expect(result.files).toHaveLength(1);
		const [file] = result.files;
		expect(path.extname(file.path)).toBe('.mp3');
		const { seconds } = inspectMp3(await readFile(file.path));
		expect(seconds).toBeGreaterThan(10);
	});

	it('stays as it was changed in the editor when the examples are imported again', async () => {
		const memory = path.join(home, 'examples.json');
		const prepared = prepareExample(briefing, credential, nodeTypes, outputFolder);
		const id = (await rest.workflowIds()).get(prepared.name) as string;
		await rest.saveWorkflow({ ...prepared, nodes: prepared.nodes.slice(0, 1), connections: {} }, id);

		const [again] = await importExamples(rest, [prepared], memory);
		expect(again.workflowId).toBe(id);
		expect((await rest.workflow(id)).nodes).toHaveLength(1);

		const changed = { ...prepared, settings: { ...prepared.settings, saveManualExecutions: true } };
		await importExamples(rest, [changed], memory);
		expect((await rest.workflow(id)).nodes).toHaveLength(prepared.nodes.length);
		expect((await rest.workflowIds()).size).toBe(1);
	});
});

test('the key is nowhere in the log of n8n', async () => {
	expect(await readFile(server.logFile, 'utf8')).not.toContain(apiKey);
});
