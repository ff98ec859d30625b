import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
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

/** A real n8n with the package from its tarball, an emulator, and the credential for it. */
export interface ServerUnderTest {
	packageName: string;
	/** Temporary folder of this test file. */
	home: string;
	outputFolder: string;
	emulator: Emulator;
	server: N8nServer;
	rest: N8nRest;
	credential: Credential;
	nodeTypes: NodeType[];
	/** A workflow with the credential and the output folder put in. */
	prepare(workflow: Workflow): Workflow;
	/** The example of this name as it lies in the project. */
	example(name: string): Promise<Workflow>;
	/** Imports an example and runs it as "Execute workflow" does. */
	runExample(name: string): Promise<ExampleResult>;
	/** Stops n8n and starts it again with the same data. */
	restart(): Promise<void>;
}

export const apiKey = 'sk-server-test-0123456789';

/** One server for all tests of a file; the object is filled before the first test. */
export function useServer(): ServerUnderTest {
	const it = {} as ServerUnderTest;

	beforeAll(async () => {
		it.home = await realpath(await mkdtemp(path.join(tmpdir(), 'unified-ai-gateway-')));
		it.outputFolder = path.join(it.home, 'output');
		await mkdir(it.outputFolder, { recursive: true });
		const userFolder = path.join(it.home, 'user');
		const installation = await installN8n();
		const nodes = await packNodes();
		it.packageName = nodes.packageName;
		await installNodes(nodes, userFolder);
		it.emulator = await startEmulator({ apiKey });
		const port = await findFreePort();
		const logFile = path.join(it.home, 'n8n.log');
		const start = async () => {
			const { outputFolder } = it;
			it.server = await startN8n({ installation, port, userFolder, outputFolder, logFile });
			it.rest = new N8nRest(it.server.url, installation);
			await it.rest.signIn({ email: 'owner@n8n.example', password: 'Server-test-1' });
		};
		await start();
		it.credential = await it.rest.saveCredential('Gateway', credentialType, {
			baseUrl: it.emulator.url,
			apiKey,
		});
		it.nodeTypes = await it.rest.nodeTypes();
		it.prepare = (workflow) => prepareExample(workflow, it.credential, it.nodeTypes, it.outputFolder);
		it.example = async (name) => {
			const examples = await readExamples(folders.examples);
			const found = examples.find((example) => example.name === name);
			if (!found) throw new Error(`There is no example called "${name}".`);
			return found;
		};
		it.runExample = async (name) => {
			const memory = path.join(it.home, 'examples.json');
			const [imported] = await importExamples(it.rest, [it.prepare(await it.example(name))], memory);
			return await runExample(it.rest, { ...imported, trigger: imported.trigger as string }, it.outputFolder);
		};
		it.restart = async () => {
			await it.server.stop();
			await start();
		};
	});

	afterAll(async () => {
		await it.server?.stop();
		await it.emulator?.close();
		await rm(it.home, { recursive: true, force: true });
	});

	return it;
}
