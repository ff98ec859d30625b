import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { explainInstallFailure } from './installFailure';
import { Problem } from './problem';
import { runNpm } from './processes';
import { step } from './progress';
import { folders } from './settings';
import { prepareVersion } from './versions';

/** An n8n that can be started: the Node program to start it with, and n8n's own start script. */
export interface Installation {
	node: string;
	n8n: string;
	version: string;
}

/** An entry of the lock file; `os` and `cpu` say where alone a package is installed. */
interface LockedPackage {
	version: string;
	os?: string[];
	cpu?: string[];
}

/** What a complete installation takes on the disk, n8n and npm's cache of it together, in bytes. */
const neededBytes = 3.5e9;

/**
 * Installs an n8n unless it is there already. Each part is checked for itself, so that an interrupted installation is
 * completed by the next one.
 *
 * @param version another one than `demo/package-lock.json` pins; it goes into a folder of its own
 * @throws Problem in plain words when there is no network, no space, or something cannot be built
 */
export async function installN8n(version?: string): Promise<Installation> {
	return await installInto(
		version === undefined
			? folders.demo
			: await prepareVersion(version, (home) => resolveVersion(home, version)),
	);
}

/** Has npm choose the packages of an n8n that no lock file pins yet. */
async function resolveVersion(home: string, version: string): Promise<void> {
	const choose = ['install', '--package-lock-only', '--ignore-scripts'];
	await install(home, `Choosing the packages of n8n ${version}`, 'lock.log', choose);
}

/** Installs what the lock file of a folder pins. */
async function installInto(home: string): Promise<Installation> {
	const packages = path.join(home, 'node_modules');
	const lock = await readFile(path.join(home, 'package-lock.json'), 'utf8');
	const { packages: pinned } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
	const version = pinned['node_modules/n8n'].version;
	const nodeVersion = pinned['node_modules/node'].version;

	// Lies inside what it vouches for, so that removing the installation removes the voucher.
	const stampFile = path.join(packages, '.complete');
	const stamp = createHash('sha256').update(`${process.platform} ${process.arch}\n${lock}`).digest('hex');
	if ((await readText(stampFile)) !== stamp) {
		await requireSpace(home);
		await installPackages(home, version, pinned);
		await writeFile(stampFile, stamp);
	}
	if (!existsSync(path.join(packages, 'sqlite3', 'build', 'Release', 'node_sqlite3.node'))) {
		await rebuild(home, 'Preparing the database driver', 'sqlite3');
	}
	// The compiled parts of n8n are there for certain versions of Node only, so a newer one will not do either.
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
	process.stdout.write(
		`  First use: installing n8n ${version} into ${path.join(home, 'node_modules')} (about 2.5 GB, some minutes, only once).\n`,
	);
	// npm retries for minutes when there is no network; one small question tells at once.
	await install(home, 'Asking the package registry', 'registry.log', [
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
	await install(home, `Installing n8n ${version}`, 'install.log', ['ci', '--ignore-scripts'], () => {
		const installed = manifests.filter((manifest) => existsSync(manifest)).length;
		return installed === 0 ? 'downloading' : `${installed} of ${manifests.length} packages`;
	});
}

/** Runs the one install script of a package that is needed. */
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
	try {
		// JOBS lets what has to be compiled use all cores.
		const env = { ...process.env, JOBS: 'max' };
		await step(title, () => runNpm(npmArguments, { cwd: home, logFile, env }), status);
	} catch (failure) {
		throw explainInstallFailure(failure);
	}
}

/** @throws Problem when the disk cannot hold the installation */
async function requireSpace(home: string): Promise<void> {
	const disk = await statfs(home);
	const freeBytes = disk.bavail * disk.bsize;
	if (freeBytes >= neededBytes) return;
	throw new Problem(
		`The disk of ${home} has ${(freeBytes / 1e9).toFixed(1)} GB left; n8n needs about ${neededBytes / 1e9} GB.`,
		'Free some space and run npm start again.',
	);
}

async function readText(file: string): Promise<string | undefined> {
	return existsSync(file) ? await readFile(file, 'utf8') : undefined;
}

function majorOf(version: string): string {
	return version.split('.')[0];
}
