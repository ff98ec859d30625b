import { existsSync } from 'node:fs';
import path from 'node:path';

import { findFreePort } from './ports';
import type { Redis } from './redis';
import { type N8nServer, type ServerOptions, startN8n, startWorker } from './server';

/** An n8n in queue mode: the main process receives calls, the workers run the executions. */
export interface QueueServer extends N8nServer {
	workers: N8nServer[];
}

/**
 * Starts a main process and workers that share a database and Redis. SQLite is sufficient because all processes run on
 * one machine; in production, n8n requires PostgreSQL.
 *
 * @throws Problem when a process does not start; the others are stopped
 */
export async function startQueue(
	options: ServerOptions,
	redis: Redis,
	workerCount: number,
): Promise<QueueServer> {
	const shared: ServerOptions = {
		...options,
		environment: {
			...options.environment,
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			// "Execute workflow" runs on a worker too, which n8n will always do from version 3 on.
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		},
	};
	const started: N8nServer[] = [];
	const register = (server: N8nServer) => {
		started.unshift(server);
		return server;
	};
	const startMain = async () => register(await startN8n(shared));
	const startWorkers = async () => {
		const workers: N8nServer[] = [];
		for (let number = 1; number <= workerCount; number++) {
			const logFile = options.logFile.replace(/\.log$/, `.worker${number}.log`);
			workers.push(register(await startWorker({ ...shared, port: await findFreePort(), logFile })));
		}
		return workers;
	};
	const stop = async () => {
		for (const server of started) await server.stop();
	};
	try {
		// Workers start first, so that waiting executions can resume at once. Only the main process can create the database.
		const isNew = !existsSync(path.join(options.userFolder, '.n8n', 'database.sqlite'));
		if (isNew) {
			const main = await startMain();
			return { ...main, workers: await startWorkers(), stop };
		}
		const workers = await startWorkers();
		return { ...(await startMain()), workers, stop };
	} catch (failure) {
		await stop();
		throw failure;
	}
}
