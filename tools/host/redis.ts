import { type ChildProcess, spawnSync } from 'node:child_process';
import path from 'node:path';

import { findFreePort } from './ports';
import { startProcess, stopProcess, untilReady } from './processes';
import { folderWith } from './programs';

/** A Redis that does not persist its data. */
export interface Redis {
	port: number;
	stop(): Promise<void>;
	/** Stops it and starts an empty one at the same port. */
	restart(): Promise<void>;
}

/**
 * Starts Redis on the loopback address and waits until it accepts connections.
 *
 * @param folder the folder for its log
 * @throws Problem when Redis is not installed or does not start
 */
export async function startRedis(folder: string): Promise<Redis> {
	const bin = findRedis();
	const port = await findFreePort();
	let child = await startAt(port, bin, folder);
	const stop = async () => await stopProcess(child);
	const restart = async () => {
		await stop();
		child = await startAt(port, bin, folder);
	};
	return { port, stop, restart };
}

async function startAt(port: number, bin: string, folder: string): Promise<ChildProcess> {
	const logFile = path.join(folder, 'redis.log');
	const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	const child = startProcess(path.join(bin, 'redis-server'), settings, { cwd: folder, logFile });
	const ping = () => spawnSync(path.join(bin, 'redis-cli'), ['-p', String(port), 'ping']);
	await untilReady('Redis', child, logFile, () => ping().stdout.includes('PONG'));
	return child;
}

/** @throws Problem when Redis is not installed */
export function findRedis(): string {
	return folderWith(
		['redis-server', 'redis-cli'],
		'Queue mode',
		'Install Redis (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis).',
	);
}
