import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type Emulator, startEmulator } from '../../emulator';
import {
	credentialType,
	type ExampleResult,
	importExamples,
	prepareExample,
	readExamples,
	runExample,
} from './examples';
import { installN8n } from './install';
import { installNodes, packNodes } from './pack';
import { findFreePort } from './ports';
import { Problem } from './problem';
import { startQueue } from './queue';
import { type Redis, startRedis } from './redis';
import { type Credential, N8nRest, type NodeType, type Owner, type Workflow } from './rest';
import { type N8nServer, startN8n } from './server';
import { folders } from './settings';

/** A real n8n of its own with the package from its tarball, an emulator, and the credential for it. */
export interface Stage {
	packageName: string;
	/** Temporary folder of this stage. */
	home: string;
	outputFolder: string;
	emulator: Emulator;
	server: N8nServer;
	/** The workers of queue mode; empty otherwise. */
	workers: N8nServer[];
	rest: N8nRest;
	owner: Owner;
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
	/** Stops everything and removes the folder. */
	close(): Promise<void>;
}

/** What a stage is to be like. */
export interface StageOptions {
	/** The emulator's key; default: the emulator's own. */
	apiKey?: string;
	/** Queue mode with so many workers; default: one process without Redis. */
	workers?: number;
	/** The n8n to use; default: the one that the demo pins. */
	n8nVersion?: string;
	/** Further settings of n8n. */
	environment?: NodeJS.ProcessEnv;
}

/**
 * Sets up a stage.
 *
 * @param stage the object to fill, for callers that have to hand it out before it is ready
 * @throws Problem when something cannot be installed or started; what was started is stopped
 */
export async function openStage(options: StageOptions = {}, stage = {} as Stage): Promise<Stage> {
	const { apiKey, workers: workerCount, n8nVersion, environment } = options;
	stage.home = await realpath(await mkdtemp(path.join(tmpdir(), 'unified-ai-gateway-')));
	stage.outputFolder = path.join(stage.home, 'output');
	stage.owner = { email: 'owner@n8n.example', password: 'Server-test-1' };
	let redis: Redis | undefined;
	stage.close = async () => {
		await stage.server?.stop();
		await redis?.stop();
		await stage.emulator?.close();
		await rm(stage.home, { recursive: true, force: true });
	};
	try {
		const userFolder = path.join(stage.home, 'user');
		await mkdir(stage.outputFolder, { recursive: true });
		const installation = await installN8n(n8nVersion);
		const nodes = await packNodes();
		stage.packageName = nodes.packageName;
		await installNodes(nodes, userFolder);
		stage.emulator = await startEmulator(apiKey === undefined ? {} : { apiKey });
		redis = workerCount === undefined ? undefined : await startRedis(stage.home);
		const port = await findFreePort();
		const start = async () => {
			const { outputFolder, home } = stage;
			const logFile = path.join(home, 'n8n.log');
			const settings = { installation, port, userFolder, outputFolder, logFile, environment };
			if (redis && workerCount !== undefined) {
				const queue = await startQueue(settings, redis, workerCount);
				stage.server = queue;
				stage.workers = queue.workers;
			} else {
				stage.server = await startN8n(settings);
				stage.workers = [];
			}
			stage.rest = new N8nRest(stage.server.url, installation);
			await stage.rest.signIn(stage.owner);
		};
		stage.restart = async () => {
			await stage.server.stop();
			await start();
		};
		await start();
		stage.credential = await stage.rest.saveCredential('Gateway', credentialType, {
			baseUrl: stage.emulator.url,
			apiKey: stage.emulator.apiKey,
		});
		stage.nodeTypes = await stage.rest.nodeTypes();
	} catch (failure) {
		await stage.close();
		throw failure;
	}
	return Object.assign(stage, exampleFunctions(stage));
}

function exampleFunctions(stage: Stage): Pick<Stage, 'prepare' | 'example' | 'runExample'> {
	const prepare = (workflow: Workflow) =>
		prepareExample(workflow, stage.credential, stage.nodeTypes, stage.outputFolder);
	const example = async (name: string) => {
		const found = (await readExamples(folders.examples)).find((candidate) => candidate.name === name);
		if (!found) throw new Problem(`There is no example called "${name}".`, 'See the folder examples/.');
		return found;
	};
	const run = async (name: string) => {
		const memory = path.join(stage.home, 'examples.json');
		const [imported] = await importExamples(stage.rest, [prepare(await example(name))], memory);
		return await runExample(
			stage.rest,
			{ ...imported, trigger: imported.trigger as string },
			stage.outputFolder,
		);
	};
	return { prepare, example, runExample: run };
}
