import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { explainInstallFailure } from './installFailure';
import { Problem } from './problem';
import { runNpm } from './processes';
import { step } from './progress';
import { folders } from './settings';

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

const packages = path.join(folders.demo, 'node_modules');
/** Lies inside what it vouches for, so that removing the installation removes the voucher. */
const stampFile = path.join(packages, '.complete');
const sqliteDriver = path.join(packages, 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
const ownNode = path.join(packages, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/**
 * Installs the n8n that `package-lock.json` pins, unless it is there already. Each part is checked for itself, so that
 * an interrupted installation is completed by the next one.
 *
 * @throws Problem in plain words when there is no network, no space, or something cannot be built
 */
export async function installN8n(): Promise<Installation> {
	const lock = await readFile(path.join(folders.demo, 'package-lock.json'), 'utf8');
	const { packages: pinned } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
	const version = pinned['node_modules/n8n'].version;
	const nodeVersion = pinned['node_modules/node'].version;

	const stamp = createHash('sha256').update(`${process.platform} ${process.arch}\n${lock}`).digest('hex');
	if ((await readText(stampFile)) !== stamp) {
		await requireSpace();
		await installPackages(version, pinned);
		await writeFile(stampFile, stamp);
	}
	if (!existsSync(sqliteDriver)) {
		await install('Preparing the database driver', 'sqlite3.log', [
			'rebuild',
			'--ignore-scripts=false',
			'sqlite3',
		]);
	}
	// The compiled parts of n8n are there for certain versions of Node only, so a newer one will not do either.
	const machineNodeFits = majorOf(process.versions.node) === majorOf(nodeVersion);
	if (!machineNodeFits && !existsSync(ownNode)) {
		await install(`Fetching Node ${nodeVersion} for n8n`, 'node.log', [
			'rebuild',
			'--ignore-scripts=false',
			'node',
		]);
	}
	return {
		node: machineNodeFits ? process.execPath : ownNode,
		n8n: path.join(packages, 'n8n', 'bin', 'n8n'),
		version,
	};
}

async function installPackages(version: string, pinned: Record<string, LockedPackage>): Promise<void> {
	process.stdout.write(
		`  First use: installing n8n ${version} into demo/node_modules (about 2.5 GB, some minutes, only once).\n`,
	);
	// npm retries for minutes when there is no network; one small question tells at once.
	await install('Asking the package registry', 'registry.log', [
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
		.map(([folder]) => path.join(folders.demo, folder, 'package.json'));
	await install(`Installing n8n ${version}`, 'install.log', ['ci', '--ignore-scripts'], () => {
		const installed = manifests.filter((manifest) => existsSync(manifest)).length;
		return installed === 0 ? 'downloading' : `${installed} of ${manifests.length} packages`;
	});
}

function fits(allowed: string[] | undefined, here: string): boolean {
	return (
		!allowed || allowed.includes(here) || allowed.some((name) => name.startsWith('!') && name !== `!${here}`)
	);
}

async function install(title: string, logName: string, npmArguments: string[], status?: () => string) {
	const logFile = path.join(folders.logs, logName);
	try {
		// JOBS lets what has to be compiled use all cores.
		const env = { ...process.env, JOBS: 'max' };
		await step(title, () => runNpm(npmArguments, { cwd: folders.demo, logFile, env }), status);
	} catch (failure) {
		throw explainInstallFailure(failure);
	}
}

/** @throws Problem when the disk cannot hold the installation */
async function requireSpace(): Promise<void> {
	const disk = await statfs(folders.demo);
	const freeBytes = disk.bavail * disk.bsize;
	if (freeBytes >= neededBytes) return;
	throw new Problem(
		`The disk of ${folders.demo} has ${(freeBytes / 1e9).toFixed(1)} GB left; n8n needs about ${neededBytes / 1e9} GB.`,
		'Free some space and run npm start again.',
	);
}

async function readText(file: string): Promise<string | undefined> {
	return existsSync(file) ? await readFile(file, 'utf8') : undefined;
}

function majorOf(version: string): string {
	return version.split('.')[0];
}
