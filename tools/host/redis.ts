import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findFreePort } from './ports';
import { Problem } from './problem';
import { hasEnded, startProcess, stopProcess } from './processes';
import { folderWith, isProgram, programName } from './programs';

/** A Redis that does not persist its data. */
export interface Redis {
	port: number;
	stop(): Promise<void>;
	/** Stops it and starts an empty one at the same port. */
	restart(): Promise<void>;
}

const program = 'redis-server';
const readyWithinMs = 10_000;

/**
 * Starts Redis on the loopback address and waits until it accepts connections.
 *
 * @param folder the folder for its log
 * @throws Problem when Redis is not installed or does not start
 */
export async function startRedis(folder: string): Promise<Redis> {
	const redisServer = findRedis(process.env);
	const port = await findFreePort();
	let child = await startAt(port, redisServer, folder);
	const stop = async () => await stopProcess(child);
	const restart = async () => {
		await stop();
		child = await startAt(port, redisServer, folder);
	};
	return { port, stop, restart };
}

async function startAt(port: number, redisServer: string, folder: string): Promise<ChildProcess> {
	const logFile = path.join(folder, 'redis.log');
	const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	const child = startProcess(redisServer, settings, { cwd: folder, logFile });
	const deadline = Date.now() + readyWithinMs;
	while (!(await answers(port))) {
		if (hasEnded(child) || Date.now() > deadline) {
			await stopProcess(child);
			throw new Problem('Redis did not start.', `Check its log for the reason: ${logFile}`);
		}
		await sleep(50);
	}
	return child;
}

/**
 * Finds the Redis executable: the one in REDIS_SERVER_PATH, or `redis-server` on the PATH.
 *
 * @throws Problem when there is none, with installation instructions
 */
export function findRedis(environment: NodeJS.ProcessEnv): string {
	const { REDIS_SERVER_PATH: configured, PATH: searchPath = '' } = environment;
	if (configured) {
		if (isProgram(configured)) return configured;
		throw new Problem(
			`REDIS_SERVER_PATH is "${configured}", which is not an executable file.`,
			'Set it to the full path of redis-server, or unset it to search the PATH.',
		);
	}
	const folder = folderWith([program], searchPath.split(path.delimiter));
	if (folder) return path.join(folder, programName(program));
	throw new Problem(
		'Queue mode needs Redis, but redis-server is not installed on this machine.',
		'Install it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), or set REDIS_SERVER_PATH to its path.',
	);
}

/** Whether Redis answers a ping. */
async function answers(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
		const settle = (isReady: boolean) => {
			socket.destroy();
			resolve(isReady);
		};
		socket.once('data', (reply) => settle(reply.toString().startsWith('+PONG')));
		socket.once('error', () => settle(false));
	});
}
