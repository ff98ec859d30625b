import { accessSync, constants } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findFreePort } from './ports';
import { Problem } from './problem';
import { hasEnded, startProcess, stopProcess } from './processes';

/** A Redis that keeps nothing on the disk. */
export interface Redis {
	port: number;
	stop(): Promise<void>;
}

const program = process.platform === 'win32' ? 'redis-server.exe' : 'redis-server';
const readyWithinMs = 10_000;

/**
 * Starts Redis on the loopback address and waits until it takes connections.
 *
 * @param folder where it may write its log
 * @throws Problem when there is no Redis on this machine, or it does not start
 */
export async function startRedis(folder: string): Promise<Redis> {
	const redisServer = findRedis(process.env);
	const port = await findFreePort();
	const logFile = path.join(folder, 'redis.log');
	const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	const child = startProcess(redisServer, settings, { cwd: folder, logFile });
	const deadline = Date.now() + readyWithinMs;
	while (!(await answers(port))) {
		if (hasEnded(child) || Date.now() > deadline) {
			await stopProcess(child);
			throw new Problem('Redis did not start.', `Its log may say why: ${logFile}`);
		}
		await sleep(50);
	}
	return { port, stop: () => stopProcess(child) };
}

/**
 * The program of Redis: what REDIS_SERVER_PATH names, or `redis-server` on the PATH.
 *
 * @throws Problem when there is none, with how to get it
 */
export function findRedis(environment: NodeJS.ProcessEnv): string {
	const { REDIS_SERVER_PATH: named, PATH: searched = '' } = environment;
	if (named) {
		if (isProgram(named)) return named;
		throw new Problem(
			`REDIS_SERVER_PATH is "${named}", which is not a program.`,
			'Give the whole path of redis-server, or unset it to have it looked for on the PATH.',
		);
	}
	const found = searched
		.split(path.delimiter)
		.map((folder) => path.join(folder, program))
		.find(isProgram);
	if (found) return found;
	throw new Problem(
		'Queue mode needs Redis, and there is no redis-server on this machine.',
		'Install it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), or name the program in REDIS_SERVER_PATH.',
	);
}

function isProgram(file: string): boolean {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** Whether Redis answers a ping. */
async function answers(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
		const settle = (isThere: boolean) => {
			socket.destroy();
			resolve(isThere);
		};
		socket.once('data', (reply) => settle(reply.toString().startsWith('+PONG')));
		socket.once('error', () => settle(false));
	});
}
