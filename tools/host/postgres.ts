import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { findFreePort } from './ports';
import { Problem } from './problem';
import { hasEnded, type ProcessOptions, run, startProcess, stopProcess } from './processes';
import { folderWith, isProgram, programName } from './programs';

/** A PostgreSQL with an empty database of its own. */
export interface Postgres {
	/** The environment variables with which n8n uses it. */
	environment: NodeJS.ProcessEnv;
	/** Stops it and deletes its data. */
	stop(): Promise<void>;
	/** Stops it, which ends all connections, and starts it again with the same data. */
	restart(): Promise<void>;
}

const programs = ['initdb', 'postgres'];
const superuser = 'n8n';
const readyWithinMs = 30_000;
/** Where Debian and Ubuntu install each version; the folder is not on the PATH. */
const debianFolder = '/usr/lib/postgresql';

/**
 * Starts PostgreSQL on the loopback address and waits until it accepts connections.
 *
 * @param logFolder the folder for its log
 * @throws Problem when PostgreSQL is not installed or does not start
 */
export async function startPostgres(logFolder: string): Promise<Postgres> {
	const bin = findPostgres(process.env);
	const port = await findFreePort();
	// In its own folder, because it may run as another user, who has no access to that of the tests.
	const home = await mkdtemp(path.join(tmpdir(), 'unified-ai-gateway-postgres-'));
	const data = path.join(home, 'data');
	const user = userToRun();
	if (user) await chown(home, user.uid, user.gid);
	const options = (name: string): ProcessOptions => ({
		cwd: home,
		logFile: path.join(logFolder, `${name}.log`),
		user,
		env: { ...process.env, HOME: home },
	});
	const start = async () => await startAt(port, bin, data, options('postgres'));
	const initialise = ['--pgdata', data, '--username', superuser, '--auth', 'trust', '--encoding', 'UTF8'];
	await run(path.join(bin, programName('initdb')), initialise, options('initdb'));
	let child = await start();
	return {
		environment: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: superuser,
			DB_POSTGRESDB_PASSWORD: 'not-asked-for',
		},
		stop: async () => {
			await end(child);
			await rm(home, { recursive: true, force: true });
		},
		restart: async () => {
			await end(child);
			child = await start();
		},
	};
}

/**
 * Finds the folder with PostgreSQL's programs: the one in POSTGRES_BIN_PATH, on the PATH, or among other folders.
 *
 * @param otherFolders by default, where Debian and Ubuntu install it
 *
 * @throws Problem when there is none, with installation instructions
 */
export function findPostgres(environment: NodeJS.ProcessEnv, otherFolders = debianFolders()): string {
	const { POSTGRES_BIN_PATH: configured, PATH: searchPath = '' } = environment;
	if (configured) {
		if (programs.every((name) => isProgram(path.join(configured, programName(name))))) return configured;
		throw new Problem(
			`POSTGRES_BIN_PATH is "${configured}", which is not a folder with ${programs.join(' and ')}.`,
			"Set it to the full path of the folder with PostgreSQL's programs, or unset it to search for them.",
		);
	}
	const found = folderWith(programs, [...searchPath.split(path.delimiter), ...otherFolders]);
	if (found) return found;
	throw new Problem(
		'The production shape needs PostgreSQL, but its programs are not installed on this machine.',
		'Install it (Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql), or set POSTGRES_BIN_PATH to the folder with initdb and postgres.',
	);
}

function debianFolders(): string[] {
	if (!existsSync(debianFolder)) return [];
	const versions = readdirSync(debianFolder).sort((one, other) => Number(other) - Number(one));
	return versions.map((version) => path.join(debianFolder, version, 'bin'));
}

/** PostgreSQL refuses to run as root; its packages create a user for it. */
function userToRun(): ProcessOptions['user'] {
	if (process.getuid?.() !== 0) return undefined;
	try {
		const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: 'pipe' }));
		return { uid: idOf('-u'), gid: idOf('-g') };
	} catch {
		throw new Problem(
			'PostgreSQL cannot run as root, and this machine has no user called "postgres".',
			'Run the tests as another user, or create that user.',
		);
	}
}

async function startAt(
	port: number,
	bin: string,
	data: string,
	options: ProcessOptions,
): Promise<ChildProcess> {
	const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 200 };
	const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const child = startProcess(path.join(bin, programName('postgres')), ['-D', data, ...flags], options);
	const deadline = Date.now() + readyWithinMs;
	while (!(await acceptsSessions(port))) {
		if (hasEnded(child) || Date.now() > deadline) {
			await end(child);
			throw new Problem('PostgreSQL did not start.', `Check its log for the reason: ${options.logFile}`);
		}
		await sleep(100);
	}
	return child;
}

/** SIGINT is PostgreSQL's fast shutdown: it ends the connections instead of waiting for them. */
async function end(child: ChildProcess): Promise<void> {
	if (!hasEnded(child)) child.kill('SIGINT');
	await stopProcess(child);
}

/** Whether PostgreSQL lets a client in: it opens its port before it is ready, and refuses sessions until it is. */
async function acceptsSessions(port: number): Promise<boolean> {
	const fields = Buffer.from(`user\0${superuser}\0database\0postgres\0\0`);
	const startup = Buffer.alloc(8);
	startup.writeInt32BE(startup.length + fields.length);
	startup.writeInt32BE(196_608, 4); // Version 3.0 of the protocol.
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.concat([startup, fields])));
		const settle = (isReady: boolean) => {
			socket.destroy();
			resolve(isReady);
		};
		// "R" begins the answer that asks for, or waives, a password; "E" is an error.
		socket.once('data', (reply) => settle(reply.toString('latin1').startsWith('R')));
		socket.once('error', () => settle(false));
		socket.once('close', () => settle(false));
	});
}
