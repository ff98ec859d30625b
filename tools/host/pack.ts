import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { folders } from './folders';
import { runNpm } from './processes';
import { step } from './progress';

/** The files and folders that the tarball is built from, relative to the project. */
const sources = [
	'package.json',
	// The versions of the packages that are bundled.
	'package-lock.json',
	'gulpfile.js',
	'index.js',
	'tsconfig.json',
	'tsconfig.build.json',
	'nodes',
	'credentials',
];

/** The packed nodes; the fingerprint changes with the sources. */
export interface PackedNodes {
	packageName: string;
	tarball: string;
	fingerprint: string;
}

/**
 * Builds and packs the nodes as for publishing. Does nothing if no source has changed since the last time.
 *
 * @throws Problem when the build fails, with the last lines of its log
 */
export async function packNodes(): Promise<PackedNodes> {
	const { project, state } = folders;
	const manifest = JSON.parse(await readFile(path.join(project, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
	};
	const tarball = path.join(state, `${manifest.name}-${manifest.version}.tgz`);
	const stampFile = `${tarball}.sources`;
	const fingerprint = await fingerprintOf(sources.map((source) => path.join(project, source)));
	if (!(await isStamped(stampFile, fingerprint, tarball))) {
		await mkdir(state, { recursive: true });
		await rm(stampFile, { force: true });
		await step('Building the nodes', () => npm(['run', 'build'], 'build.log'));
		await step('Packing the nodes', () =>
			npm(['pack', '--ignore-scripts', '--pack-destination', state], 'pack.log'),
		);
		await writeStamp(stampFile, fingerprint, tarball);
	}
	return { packageName: manifest.name, tarball, fingerprint };
}

/**
 * Installs the packed nodes like n8n's own installer for community packages: in `nodes/` of the user folder, without
 * install scripts or dependencies. Does nothing if the same content is already installed.
 */
export async function installNodes(nodes: PackedNodes, userFolder: string): Promise<void> {
	const home = path.join(userFolder, '.n8n', 'nodes');
	const stampFile = path.join(home, '.installed');
	const target = path.join(home, 'node_modules', nodes.packageName);
	if (await isStamped(stampFile, nodes.fingerprint, target)) return;
	await rm(home, { recursive: true, force: true });
	await mkdir(home, { recursive: true });
	await writeFile(path.join(home, 'package.json'), '{ "name": "installed-nodes", "private": true }\n');
	await step('Installing the nodes into n8n', () =>
		npm(
			[
				'install',
				'--offline',
				'--ignore-scripts',
				'--legacy-peer-deps',
				'--no-audit',
				'--no-fund',
				nodes.tarball,
			],
			'nodes.log',
			home,
		),
	);
	await writeStamp(stampFile, nodes.fingerprint, target);
}

/** Records from which sources a file or folder was made, and its content: somebody may change or delete a part of it. */
async function writeStamp(stampFile: string, fingerprint: string, made: string): Promise<void> {
	await writeFile(stampFile, `${fingerprint} ${await fingerprintOf([made])}`);
}

async function isStamped(stampFile: string, fingerprint: string, made: string): Promise<boolean> {
	if (!existsSync(made) || !existsSync(stampFile)) return false;
	return (await readFile(stampFile, 'utf8')) === `${fingerprint} ${await fingerprintOf([made])}`;
}

async function npm(npmArguments: string[], logName: string, cwd = folders.project): Promise<void> {
	await runNpm(npmArguments, { cwd, logFile: path.join(folders.logs, logName), env: process.env });
}

/** Returns one digest of the names and contents of files, and of all files in folders. */
async function fingerprintOf(paths: string[]): Promise<string> {
	const digest = createHash('sha256');
	for (const source of paths) {
		const isFolder = (await stat(source)).isDirectory();
		const names = isFolder ? (await readdir(source, { recursive: true })).sort() : [];
		for (const file of [source, ...names.map((name) => path.join(source, name))]) {
			const content = (await stat(file)).isFile() ? await readFile(file) : '';
			digest.update(`${file}\0`).update(content);
		}
	}
	return digest.digest('hex');
}
