import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { folders } from './folders';
import { Problem } from './problem';
import { runNpm } from './processes';
import { step } from './progress';
import { prepareVersion } from './versions';

/** An installed n8n: the Node executable to run it with, and n8n's start script. */
export interface Installation {
	node: string;
	n8n: string;
	version: string;
}

/** An entry of the lock file; `os` and `cpu` limit where the package is installed. */
interface LockedPackage {
	version: string;
	os?: string[];
	cpu?: string[];
}

/** Disk space of a complete installation, including npm's cache, in bytes. */
const requiredBytes = 3.5e9;

/**
 * Installs n8n unless it is already installed. Each part is checked separately, so the next run completes an
 * interrupted installation.
 *
 * @param version a version other than the one in `demo/package-lock.json`; it is installed in its own folder
 * @throws Problem when disk space is missing, or npm fails, with the last lines of its log
 */
export async function installN8n(version?: string): Promise<Installation> {
	return await installInto(
		version === undefined
			? folders.demo
			: await prepareVersion(version, (home) => resolveVersion(home, version)),
	);
}

/** Creates the lock file of an n8n version that has none yet. */
async function resolveVersion(home: string, version: string): Promise<void> {
	const npmArguments = ['install', '--package-lock-only', '--ignore-scripts'];
	await install(home, `Resolving the packages of n8n ${version}`, 'lock.log', npmArguments);
}

/** Tells whether `npm start` finds its n8n installed. */
export async function isInstalled(): Promise<boolean> {
	const { stampFile, stamp } = stampOf(folders.demo, await readLock(folders.demo));
	return (await readText(stampFile)) === stamp;
}

async function readLock(home: string): Promise<string> {
	return await readFile(path.join(home, 'package-lock.json'), 'utf8');
}

/** The stamp is inside node_modules, so deleting the installation deletes the stamp too. */
function stampOf(home: string, lock: string): { stampFile: string; stamp: string } {
	const stamp = createHash('sha256').update(`${process.platform} ${process.arch}\n${lock}`).digest('hex');
	return { stampFile: path.join(home, 'node_modules', '.complete'), stamp };
}

/** Installs the packages in the lock file of a folder. */
async function installInto(home: string): Promise<Installation> {
	const packages = path.join(home, 'node_modules');
	const lock = await readLock(home);
	const { packages: pinned } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
	const version = pinned['node_modules/n8n'].version;
	const nodeVersion = pinned['node_modules/node'].version;

	const { stampFile, stamp } = stampOf(home, lock);
	if ((await readText(stampFile)) !== stamp) {
		await requireSpace(home);
		await installPackages(home, version, pinned);
		await writeFile(stampFile, stamp);
	}
	if (!existsSync(path.join(packages, 'sqlite3', 'build', 'Release', 'node_sqlite3.node'))) {
		await rebuild(home, 'Preparing the database driver', 'sqlite3');
	}
	// n8n's native modules are built for one major version of Node, so a newer Node does not work either.
	const machineNodeFits = majorOf(process.versions.node) === majorOf(nodeVersion);
	const ownNode = path.join(packages, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
	if (!machineNodeFits && !existsSync(ownNode)) {
		await rebuild(home, `Fetching Node ${nodeVersion} for n8n`, 'node');
	}
	return {
		node: machineNodeFits ? process.execPath : ownNode,
		n8n: path.join(packages, 'n8n', 'bin', 'n8n'),
		version,
	};
}

async function installPackages(
	home: string,
	version: string,
	pinned: Record<string, LockedPackage>,
): Promise<void> {
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
	const manifests = Object.entries(pinned)
		.filter(([folder, { os, cpu }]) => folder && fits(os, process.platform) && fits(cpu, process.arch))
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

/** Runs the install script of one package; all others are skipped. */
async function rebuild(home: string, title: string, packageName: string): Promise<void> {
	await install(home, title, `${packageName}.log`, ['rebuild', '--ignore-scripts=false', packageName]);
}

function fits(allowed: string[] | undefined, here: string): boolean {
	return (
		!allowed || allowed.includes(here) || allowed.some((name) => name.startsWith('!') && name !== `!${here}`)
	);
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

async function readText(file: string): Promise<string | undefined> {
	return existsSync(file) ? await readFile(file, 'utf8') : undefined;
}

function majorOf(version: string): string {
	return version.split('.')[0];
}
