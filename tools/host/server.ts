import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

import type { Installation } from './install';
import { findFreePort } from './ports';
import { killProcess, startProcess, stopProcess, untilReady } from './processes';

/** A running n8n. */
export interface N8nServer {
	/** The editor's address, without a trailing slash. */
	url: string;
	logFile: string;
	/** Resolves when n8n has ended for any reason. */
	ended: Promise<void>;
	/** Stops n8n and its child processes; resolves when all of them have ended. */
	stop(): Promise<void>;
	/** Kills n8n and its child processes (SIGKILL), as in a crash; resolves when all of them have ended. */
	kill(): Promise<void>;
	/** Starts n8n again with the same settings, after it has ended. */
	startAgain(): Promise<N8nServer>;
}

/** The place and the settings of a server. All folders are absolute. */
export interface ServerOptions {
	installation: Installation;
	port: number;
	userFolder: string;
	logFile: string;
	/** Additional environment variables, such as those for queue mode. */
	environment?: NodeJS.ProcessEnv;
}

/**
 * Starts n8n on the loopback address and waits until it is ready.
 *
 * @param role in queue mode, a process may be a worker, whose port answers only health checks, or a process that
 *   receives the calls of webhooks; the database must exist then
 * @throws Problem when it ends or is not ready in time, with the last lines of its log
 */
export async function startN8n(
	options: ServerOptions,
	role: 'start' | 'worker' | 'webhook' = 'start',
): Promise<N8nServer> {
	const { installation, port, userFolder, logFile } = options;
	await mkdir(userFolder, { recursive: true });
	const url = `http://127.0.0.1:${port}`;
	const env = environmentOf(options, url, await findFreePort());
	const ofWorker = {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	};
	const child = startProcess(
		installation.node,
		['--require', path.join(__dirname, 'stopWithParent.cjs'), installation.n8n, role],
		{ cwd: userFolder, env: { ...env, ...(role === 'worker' ? ofWorker : {}) }, logFile },
	);
	const server: N8nServer = {
		url,
		logFile,
		ended: new Promise((resolve) => {
			child.once('exit', () => resolve());
			child.once('error', () => resolve());
		}),
		stop: () => stopProcess(child),
		kill: () => killProcess(child),
		startAgain: () => startN8n(options, role),
	};
	// Older versions of n8n report that they are ready before they answer requests from the editor.
	const isUp = async () =>
		(await isReady(url)) && (role !== 'start' || (await answers(`${url}/rest/settings`)));
	await untilReady('n8n', child, logFile, isUp);
	return server;
}

/** Tells whether an n8n at this address reports that it is ready. */
export async function isReady(url: string): Promise<boolean> {
	return await answers(`${url}/healthz/readiness`);
}

async function answers(address: string): Promise<boolean> {
	try {
		const response = await fetch(address, { signal: AbortSignal.timeout(5000) });
		return response.ok;
	} catch {
		return false;
	}
}

/**
 * Returns the environment of n8n. Apart from addresses and the time zone, it only turns off features that send data or
 * show notices. The permissions of nodes, for example which files they can access, stay as in any new n8n.
 */
function environmentOf(options: ServerOptions, url: string, brokerPort: number): NodeJS.ProcessEnv {
	const nodeFolder = path.dirname(options.installation.node);
	return {
		...machineEnvironment(),
		// n8n starts its task runner as "node", which must be the same version.
		PATH: [nodeFolder, process.env.PATH].filter(Boolean).join(path.delimiter),
		NO_PROXY: [process.env.NO_PROXY, '127.0.0.1', 'localhost'].filter(Boolean).join(','),
		GENERIC_TIMEZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
		N8N_WEBHOOK_URL: url,
		N8N_USER_FOLDER: options.userFolder,
		N8N_PORT: String(options.port),
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_EDITOR_BASE_URL: url,
		N8N_SECURE_COOKIE: 'false',
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		// Both send requests to n8n's servers, which are not needed here.
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		...(hasModule(options.installation, 'mcp-registry') ? { N8N_DISABLED_MODULES: 'mcp-registry' } : {}),
		...options.environment,
	};
}

/** Tells whether this n8n has a module. n8n refuses to start if an unknown module is disabled. */
function hasModule({ n8n }: Installation, name: string): boolean {
	return existsSync(path.join(path.dirname(n8n), '..', 'dist', 'modules', name));
}

/** Returns this machine's environment without the settings of another n8n, npm, or a test runner. */
function machineEnvironment(): NodeJS.ProcessEnv {
	const foreign = /^(?:(?:N8N|NODES|DB|EXECUTIONS|QUEUE|WEBHOOK|ENDPOINT|NPM|JEST)_|NODE_ENV$)/i;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
