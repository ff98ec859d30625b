import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { type Emulator, startEmulator } from '../../emulator';
import {
	credentialType,
	importExamples,
	prepareExample,
	readExamples,
	withEmulatorChoices,
} from './examples';
import { installN8n, type Installation } from './install';
import type { Credential, NodeType, Owner, Workflow } from './n8nTypes';
import { installNodes, packNodes } from './pack';
import { findFreePort } from './ports';
import { type Postgres, startPostgres } from './postgres';
import { startQueue } from './queue';
import { type Redis, startRedis } from './redis';
import { N8nRest } from './rest';
import { type ExampleResult, runExample } from './runExample';
import { type N8nServer, startN8n } from './server';

/** An isolated, real n8n with the package installed from its tarball, an emulator, and a credential for it. */
export interface Stage {
	packageName: string;
	/** The temporary folder of this stage. */
	home: string;
	emulator: Emulator;
	server: N8nServer;
	/** The workers in queue mode; otherwise empty. */
	workers: N8nServer[];
	/** The address to which the calls of webhooks go, without a trailing slash. */
	webhookUrl: string;
	/** Set in queue mode. */
	redis?: Redis;
	/** Set in the production shape. */
	postgres?: Postgres;
	rest: N8nRest;
	/** The installation of the running n8n. */
	installation: Installation;
	owner: Owner;
	credential: Credential;
	nodeTypes: NodeType[];
	/** Returns a workflow as the demo runs it: with the credential and the address of the emulator. */
	prepare(workflow: Workflow): Workflow;
	/** Reads the example with this name from the project. */
	example(name: string): Promise<Workflow>;
	/** Imports an example and runs it like "Execute workflow", or opens its form or webhook; see {@link runExample}. */
	runExample(name: string): Promise<ExampleResult>;
	/** Stops n8n and starts it again with the same data. */
	restart(): Promise<void>;
	/** Stops all processes and deletes the temporary folder. */
	close(): Promise<void>;
}

/** Options of {@link openStage}. */
export interface StageOptions {
	/** The emulator's key; default: that of the emulator. */
	apiKey?: string;
	/** Number of workers in queue mode; default: one process without Redis. */
	workers?: number;
	/** True to run as in production, with PostgreSQL and a webhook process; requires workers. */
	isProduction?: boolean;
	/** The version of n8n; default: the one in `demo/package.json`. */
	n8nVersion?: string;
	/** Additional environment variables for n8n. */
	environment?: NodeJS.ProcessEnv;
}

/**
 * Sets up a stage.
 *
 * @param stage the object to fill, for callers that need a reference before the stage is ready
 * @throws Problem when something cannot be installed or started; everything that was started is stopped
 */
export async function openStage(options: StageOptions = {}, stage = {} as Stage): Promise<Stage> {
	const { apiKey, workers: workerCount, isProduction = false, n8nVersion, environment } = options;
	stage.home = await realpath(await mkdtemp(path.join(tmpdir(), 'unified-ai-gateway-')));
	stage.owner = { email: 'owner@n8n.example', password: 'Server-test-1' };
	stage.close = async () => {
		await stage.server?.stop();
		await stage.redis?.stop();
		await stage.postgres?.stop();
		await stage.emulator?.close();
		await rm(stage.home, { recursive: true, force: true });
	};
	try {
		const userFolder = path.join(stage.home, 'user');
		const installation = await installN8n(n8nVersion);
		stage.installation = installation;
		const nodes = await packNodes();
		stage.packageName = nodes.packageName;
		await installNodes(nodes, userFolder);
		stage.emulator = await startEmulator(apiKey === undefined ? {} : { apiKey });
		stage.redis = workerCount === undefined ? undefined : await startRedis(stage.home);
		stage.postgres = isProduction ? await startPostgres(stage.home) : undefined;
		const port = await findFreePort();
		const start = async (isNew: boolean) => {
			const { home, redis, postgres } = stage;
			const logFile = path.join(home, 'n8n.log');
			// n8n allows access to files in one folder by default, which is in the home folder.
			const homes = { HOME: home, USERPROFILE: home };
			const settings = {
				installation,
				port,
				userFolder,
				logFile,
				environment: { ...homes, ...postgres?.environment, ...environment },
			};
			if (redis && workerCount !== undefined) {
				const shape = { workers: workerCount, hasWebhookProcess: isProduction, isNew };
				const queue = await startQueue(settings, redis, shape);
				stage.server = queue;
				stage.workers = queue.workers;
				stage.webhookUrl = queue.webhookUrl;
			} else {
				stage.server = await startN8n(settings);
				stage.workers = [];
				stage.webhookUrl = stage.server.url;
			}
			stage.rest = new N8nRest(stage.server.url, installation);
			await stage.rest.signIn(stage.owner);
		};
		stage.restart = async () => {
			await stage.server.stop();
			await start(false);
		};
		await start(true);
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
		prepareExample(withEmulatorChoices(workflow), stage.credential, stage.nodeTypes, stage.emulator.url);
	const example = async (name: string) =>
		(await readExamples()).find((candidate) => candidate.name === name)!;
	const run = async (name: string) => {
		const digestFile = path.join(stage.home, 'examples.json');
		const [imported] = await importExamples(stage.rest, [prepare(await example(name))], digestFile);
		return await runExample(stage.rest, imported);
	};
	return { prepare, example, runExample: run };
}
