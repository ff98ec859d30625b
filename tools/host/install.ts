import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, realpath, rm, statfs, symlink, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { folders } from './folders';
import { Problem } from './problem';
import { runNpm } from './processes';
import { step } from './progress';
import { claim } from './state';
import { prepareVersion } from './versions';

/** An installed n8n: the Node executable to run it with, and n8n's start script. */
export interface Installation {
	node: string;
	n8n: string;
	version: string;
}

/** The packages of a lock file by their folders. */
type Locked = Record<string, { version: string; optional?: boolean }>;

/** Disk space of a complete installation, including npm's cache, in bytes. */
const requiredBytes = 3.5e9;

/**
 * Installs n8n unless it is already installed: once for all clones on a machine, in a folder of npm's cache, like npx.
 * Checks each part separately, so the next run completes an interrupted installation.
 *
 * @param version a version other than the one in `demo/package-lock.json`
 * @throws Problem when disk space is missing, or npm fails, with the last lines of its log
 */
export async function installN8n(version?: string): Promise<Installation> {
	const home =
		version === undefined
			? folders.demo
			: await prepareVersion(version, (folder) => resolveVersion(folder, version));
	const shared = await sharedFolder(home);
	await mkdir(shared, { recursive: true });
	const installation = await alone(shared, () => installInto(shared, home));
	await linkPackages(home, shared);
	return installation;
}

/** Creates the lock file of an n8n version that does not have one yet. */
async function resolveVersion(home: string, version: string): Promise<void> {
	const npmArguments = ['install', '--package-lock-only', '--ignore-scripts'];
	await install(home, `Resolving the packages of n8n ${version}`, 'lock.log', npmArguments);
}

/** Returns the folder with the packages of a lock file, for this kind of machine. */
async function sharedFolder(home: string): Promise<string> {
	const lock = await readFile(path.join(home, 'package-lock.json'), 'utf8');
	const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n${lock}`).digest('hex');
	// npm passes its cache folder to the scripts that it runs.
	const cache = process.env.npm_config_cache ?? path.join(homedir(), '.npm');
	return path.join(cache, '_n8n', hash.slice(0, 16));
}

/** The stamp is inside node_modules, so deleting the installation deletes the stamp too. */
function stampFile(shared: string): string {
	return path.join(shared, 'node_modules', '.complete');
}

/** Does the work while no other clone installs into the folder. */
async function alone<T>(folder: string, work: () => Promise<T>): Promise<T> {
	const owner = path.join(folder, 'installing.pid');
	if (!(await claim(owner))) {
		const wait = async () => {
			while (!(await claim(owner))) await delay(500);
		};
		const status = () => `delete ${owner} if there is none`;
		await step('Waiting for another installation of the same n8n', wait, { status });
	}
	try {
		return await work();
	} finally {
		await rm(owner, { force: true });
	}
}

/** Installs the packages of a lock file. */
async function installInto(shared: string, home: string): Promise<Installation> {
	const packages = path.join(shared, 'node_modules');
	const lock = await readFile(path.join(home, 'package-lock.json'), 'utf8');
	const { packages: pinned } = JSON.parse(lock) as { packages: Locked };
	const version = pinned['node_modules/n8n'].version;
	const nodeVersion = pinned['node_modules/node'].version;

	if (!existsSync(stampFile(shared))) {
		await requireSpace(shared);
		for (const file of ['.npmrc', 'package.json', 'package-lock.json']) {
			await copyFile(path.join(home, file), path.join(shared, file));
		}
		await installPackages(shared, version, pinned);
		await writeFile(stampFile(shared), '');
	}
	if (!existsSync(path.join(packages, 'sqlite3', 'build', 'Release', 'node_sqlite3.node'))) {
		await rebuild(shared, 'Preparing the database driver', 'sqlite3');
	}
	// n8n's native modules are built for one major version of Node, so a newer Node does not work either.
	const machineNodeFits = majorOf(process.versions.node) === majorOf(nodeVersion);
	const ownNode = path.join(packages, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	if (!machineNodeFits && !existsSync(ownNode)) {
		await rebuild(shared, `Fetching Node ${nodeVersion} for n8n`, 'node');
	}
	return {
		node: machineNodeFits ? process.execPath : ownNode,
		n8n: path.join(packages, 'n8n', 'bin', 'n8n'),
		version,
	};
}

/** Links the packages of a folder to those of the shared installation. */
async function linkPackages(home: string, shared: string): Promise<void> {
	const [link, target] = [home, shared].map((folder) => path.join(folder, 'node_modules'));
	if (existsSync(link) && (await realpath(link)) === (await realpath(target))) return;
	await rm(link, { recursive: true, force: true });
	await symlink(target, link, 'junction');
}

async function installPackages(home: string, version: string, pinned: Locked): Promise<void> {
	// Without a network, npm would retry for minutes; a single small request fails quickly.
	await install(home, 'Contacting the package registry', 'registry.log', [
		'view',
		`n8n@${version}`,
		'version',
		'--prefer-offline',
		'--fetch-retries=1',
		'--fetch-retry-mintimeout=1000',
		'--fetch-retry-maxtimeout=1000',
	]);
	// Optional packages are often for other machines.
	const manifests = Object.entries(pinned)
		.filter(([folder, { optional }]) => folder && !optional)
		.map(([folder]) => path.join(home, folder, 'package.json'));
	await install(
		home,
		`Installing n8n ${version}`,
		'install.log',
		['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'],
		() => {
			const installed = manifests.filter((manifest) => existsSync(manifest)).length;
			return installed === 0 ? 'downloading' : `${installed} of ${manifests.length} packages`;
		},
	);
}

/** Runs the install script of one package. All other install scripts are skipped. */
async function rebuild(home: string, title: string, packageName: string): Promise<void> {
	await install(home, title, `${packageName}.log`, ['rebuild', '--ignore-scripts=false', packageName]);
}

async function install(
	home: string,
	title: string,
	logName: string,
	npmArguments: string[],
	status?: () => string,
): Promise<void> {
	const logFile = path.join(folders.logs, logName);
	// With JOBS, node-gyp compiles on all cores.
	const env = { ...process.env, JOBS: 'max' };
	await step(title, () => runNpm(npmArguments, { cwd: home, logFile, env }), { status });
}

/** @throws Problem when the disk does not have enough free space */
async function requireSpace(home: string): Promise<void> {
	const disk = await statfs(home);
	const freeBytes = disk.bavail * disk.bsize;
	if (freeBytes >= requiredBytes) return;
	throw new Problem(
		`The disk with ${home} has ${(freeBytes / 1e9).toFixed(1)} GB of free space; n8n needs about ${requiredBytes / 1e9} GB.`,
		'Free up some space and run npm start again.',
	);
}

function majorOf(version: string): string {
	return version.split('.')[0];
}
