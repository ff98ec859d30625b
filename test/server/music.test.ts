import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { credentialType, prepareExample, readExamples, runExample } from '../../demo/examples';
import { installN8n, type Installation } from '../../demo/install';
import { installNodes, packNodes } from '../../demo/pack';
import { findFreePort } from '../../demo/ports';
import { type Credential, type Execution, N8nRest, type Workflow } from '../../demo/rest';
import { type N8nServer, startN8n } from '../../demo/server';
import { folders } from '../../demo/settings';
import { type Emulator, startEmulator } from '../../emulator';
import { inspectMp3 } from './mp3';

const owner = { email: 'owner@n8n.example', password: 'Server-test-1' };
const hourMs = 3_600_000;

let home: string;
let outputFolder: string;
let installation: Installation;
let port: number;
let emulator: Emulator;
let server: N8nServer;
let rest: N8nRest;
let credential: Credential;
let examples: Workflow[];

async function start(): Promise<void> {
	const userFolder = path.join(home, 'user');
	server = await startN8n({
		installation,
		port,
		userFolder,
		outputFolder,
		logFile: path.join(home, 'n8n.log'),
	});
	rest = new N8nRest(server.url, installation);
	await rest.signIn(owner);
}

beforeAll(async () => {
	home = await realpath(await mkdtemp(path.join(tmpdir(), 'unified-ai-gateway-music-')));
	outputFolder = path.join(home, 'output');
	installation = await installN8n();
	await installNodes(await packNodes(), path.join(home, 'user'));
	emulator = await startEmulator();
	port = await findFreePort();
	await start();
	const { url: baseUrl, apiKey } = emulator;
	credential = await rest.saveCredential('Gateway', credentialType, { baseUrl, apiKey });
	const nodeTypes = await rest.nodeTypes();
	examples = (await readExamples(folders.examples)).map((example) =>
		prepareExample(example, credential, nodeTypes, outputFolder),
	);
});

afterAll(async () => {
	await server?.stop();
	await emulator?.close();
	await rm(home, { recursive: true, force: true });
});

function example(name: string): Workflow {
	return structuredClone(examples.find((candidate) => candidate.name === name) as Workflow);
}

/** The example with its webhook replaced by a button and an order, and with the shortest interval that sleeps. */
function durableWait(songs: object[]): Workflow {
	const workflow = example('Durable music wait');
	const nodes = workflow.nodes.map((node) => {
		const options = { checkIntervalSeconds: 66, maxWaitMinutes: 600 };
		if (node.name === 'Wait for songs') return { ...node, parameters: { ...node.parameters, options } };
		if (node.name !== 'Order arrives') return node;
		const parameters = { mode: 'raw', jsonOutput: JSON.stringify({ body: { songs } }), options: {} };
		return { ...node, type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters };
	});
	const button = {
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [-220, 0],
		parameters: {},
	};
	const toOrder = { main: [[{ node: 'Order arrives', type: 'main', index: 0 }]] };
	return {
		...workflow,
		nodes: [...nodes, { id: 'button', name: 'Button', ...button }],
		connections: { ...workflow.connections, Button: toOrder },
	};
}

async function until(
	id: string,
	fits: (execution: Execution) => boolean,
	timeoutMs: number,
): Promise<Execution> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const execution = await rest.execution(id);
		if (fits(execution)) return execution;
		if (Date.now() > deadline) throw new Error(`The execution is still "${execution.status}".`);
		await sleep(500);
	}
}

interface Item {
	json: Record<string, unknown>;
}

/** The items of the last run of a node. */
function itemsOf({ runData }: Execution, node: string, output = 0): Item[] {
	return (runData[node].at(-1)?.data?.main?.[output] ?? []) as Item[];
}

it('makes songs from a list', async () => {
	const workflow = example('Songs from a list');
	const workflowId = await rest.saveWorkflow(workflow);
	const result = await runExample(rest, { workflowId, name: workflow.name, trigger: 'Start' }, outputFolder);
	expect(result).toMatchObject({ succeeded: true, reason: undefined });
	const names = result.files.map((file) => path.basename(file.path)).sort();
	expect(names).toHaveLength(12);
	expect(names).toEqual(expect.arrayContaining(['First Snow 1.mp3', 'First Snow 2.png', '茶馆 2.mp3']));
	for (const file of result.files.filter(({ path: name }) => name.endsWith('.mp3'))) {
		expect(inspectMp3(await readFile(file.path)).seconds).toBeGreaterThan(10);
	}
});

it('waits through a stop and a start of n8n, and gives the right songs to their sources', async () => {
	emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: hourMs } });
	const songs = ['Alpha', 'Beta', 'Gamma'].map((title) => ({
		title,
		style: 'folk',
		lyrics: `Words of ${title}`,
	}));
	const workflowId = await rest.saveWorkflow(durableWait(songs));
	const submittedBefore = emulator.tasks.all().length;
	const id = await rest.startWorkflow(workflowId, 'Button');
	await until(id, ({ status }) => status === 'waiting', 30_000);
	const tasks = emulator.tasks.all().slice(submittedBefore);
	expect(tasks.map(({ request }) => request.title)).toEqual(['Alpha', 'Beta', 'Gamma']);

	await server.stop();
	emulator.journal.clear();
	await start();
	expect((await rest.execution(id)).status).toBe('waiting');
	emulator.tasks.advance(2 * hourMs);

	const execution = await until(id, ({ status }) => status !== 'waiting' && status !== 'running', 240_000);
	expect(execution.status).toBe('success');
	const done = itemsOf(execution, 'Wait for songs', 1);
	expect(done.map(({ json }) => [json.taskId, json.title, json.track])).toEqual(
		tasks.flatMap((task) => [1, 2].map((track) => [task.id, task.request.title, track])),
	);
	// Their names come from the item that each song was ordered by, through the links of the items.
	const files = (await readdir(outputFolder)).filter((name) => name.includes('take')).sort();
	expect(files).toEqual(
		['Alpha', 'Beta', 'Gamma'].flatMap((title) => [`${title} - take 1.mp3`, `${title} - take 2.mp3`]),
	);
	expect(emulator.journal.count('POST /v1/music/generations')).toBe(0);
	expect(emulator.journal.count('GET /v1/music/tasks/*')).toBe(3);
});
