import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { findFreePort } from './ports';
import { Problem } from './problem';
import { hasEnded, type ProcessOptions, run, startProcess, stopProcess, untilReady } from './processes';
import { folderWith } from './programs';

/** A running PostgreSQL with an empty database. */
export interface Postgres {
	/** The environment variables with which n8n uses it. */
	environment: NodeJS.ProcessEnv;
	/** Stops it and deletes its data. */
	stop(): Promise<void>;
	/** Stops it, which ends all connections, and starts it again with the same data. */
	restart(): Promise<void>;
}

const superuser = 'n8n';
/** The folder in which Debian and Ubuntu install each version. It is not on the PATH. */
const debianFolder = '/usr/lib/postgresql';

/**
 * Starts PostgreSQL on the loopback address and waits until it accepts connections.
 *
 * @param logFolder the folder for its log
 * @throws Problem when PostgreSQL is not installed or does not start
 */
export async function startPostgres(logFolder: string): Promise<Postgres> {
	const bin = findPostgres();
	const port = await findFreePort();
	// The folder is separate, because PostgreSQL may run as another user, who has no access to the folder of the tests.
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
	await run(path.join(bin, 'initdb'), initialise, options('initdb'));
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

/** @throws Problem when PostgreSQL is not installed */
export function findPostgres(): string {
	return folderWith(
		['initdb', 'postgres', 'pg_isready'],
		'The production shape',
		'Install PostgreSQL (Debian, Ubuntu: apt-get install postgresql; macOS: brew install postgresql).',
		debianFolders(),
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
	const child = startProcess(path.join(bin, 'postgres'), ['-D', data, ...flags], options);
	const ask = () => spawnSync(path.join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]);
	await untilReady('PostgreSQL', child, options.logFile, () => ask().status === 0);
	return child;
}

/** Stops PostgreSQL with SIGINT, its fast shutdown, which ends the connections instead of waiting for them. */
async function end(child: ChildProcess): Promise<void> {
	if (!hasEnded(child)) child.kill('SIGINT');
	await stopProcess(child);
}
