import { findFreePort } from './ports';
import type { Redis } from './redis';
import { type N8nServer, type ServerOptions, startN8n } from './server';

/** An n8n in queue mode: the main process serves the editor, and the workers run the executions. */
export interface QueueServer extends N8nServer {
	workers: N8nServer[];
	/** The address of the process that receives the calls of webhooks. */
	webhookUrl: string;
}

/** The processes of an n8n in queue mode. */
export interface QueueShape {
	workers: number;
	/** True if a separate process receives webhooks, instead of the main process. */
	hasWebhookProcess: boolean;
	/** True if the database is new; only the main process can create it. */
	isNew: boolean;
}

/**
 * Starts a main process, workers, and if required a webhook process, which share a database and Redis. For tests on one
 * machine, SQLite is sufficient; in production, n8n requires PostgreSQL.
 *
 * @throws Problem when a process does not start; the others are stopped
 */
export async function startQueue(
	options: ServerOptions,
	redis: Redis,
	shape: QueueShape,
): Promise<QueueServer> {
	const shared: ServerOptions = {
		...options,
		environment: {
			...options.environment,
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			// "Execute workflow" runs on a worker as well. From version 3 on, n8n will always do that.
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			...(shape.hasWebhookProcess ? { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: 'true' } : {}),
		},
	};
	const started: N8nServer[] = [];
	// Includes processes that are started again after they were killed.
	const keep = (server: N8nServer): N8nServer => {
		const kept = { ...server, startAgain: async () => keep(await server.startAgain()) };
		started.unshift(kept);
		return kept;
	};
	const beside = async (name: string, role: 'worker' | 'webhook') => {
		const logFile = options.logFile.replace(/\.log$/, `.${name}.log`);
		return keep(await startN8n({ ...shared, port: await findFreePort(), logFile }, role));
	};
	const startMain = async () => keep(await startN8n(shared));
	const startOthers = async () => {
		const workers: N8nServer[] = [];
		for (let number = 1; number <= shape.workers; number++) {
			workers.push(await beside(`worker${number}`, 'worker'));
		}
		const webhooks = shape.hasWebhookProcess ? await beside('webhook', 'webhook') : undefined;
		return { workers, webhooks };
	};
	const stop = async () => {
		for (const server of started) await server.stop();
	};
	try {
		// The others start first, so that waiting executions can resume at once.
		const first = shape.isNew ? await startMain() : undefined;
		const { workers, webhooks } = await startOthers();
		const main = first ?? (await startMain());
		return { ...main, workers, webhookUrl: (webhooks ?? main).url, stop };
	} catch (failure) {
		await stop();
		throw failure;
	}
}
