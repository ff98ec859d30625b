import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Problem } from './problem';
import { CommandFailure, type ProcessOptions, runNpm } from './processes';
import { formatBytes, step } from './progress';
import { folders } from './settings';

/** What decides the content of the tarball, relative to the project. */
const sources = [
	'package.json',
	'gulpfile.js',
	'index.js',
	'tsconfig.json',
	'tsconfig.build.json',
	'nodes',
	'credentials',
];

/** The packed nodes: where the tarball is, and a name that changes with its content. */
export interface PackedNodes {
	packageName: string;
	tarball: string;
	fingerprint: string;
}

/**
 * Builds and packs the nodes as they would be published; does nothing when no source changed since the last time.
 *
 * @throws Problem when the build fails, with the end of its log
 */
export async function packNodes(): Promise<PackedNodes> {
	const manifest = JSON.parse(await readFile(path.join(folders.project, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
	};
	const tarball = path.join(folders.state, `${manifest.name}-${manifest.version}.tgz`);
	const stampFile = `${tarball}.sources`;
	const fingerprint = await fingerprintOf(sources.map((source) => path.join(folders.project, source)));
	const upToDate =
		existsSync(tarball) && existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === fingerprint;
	if (!upToDate) {
		await mkdir(folders.state, { recursive: true });
		await rm(stampFile, { force: true });
		await step('Building the nodes', () => npm(['run', 'build'], 'build.log'));
		await step('Packing the nodes', () =>
			npm(['pack', '--ignore-scripts', '--pack-destination', folders.state], 'pack.log'),
		);
		await writeFile(stampFile, fingerprint);
		const { size } = await stat(tarball);
		process.stdout.write(`  Packed ${path.basename(tarball)}, ${formatBytes(size)}\n`);
	}
	return { packageName: manifest.name, tarball, fingerprint };
}

/**
 * Puts the packed nodes where n8n looks for community packages, as n8n's own installer does: below `nodes/` of the user
 * folder, without running scripts and without dependencies. Does nothing when this very content is there.
 */
export async function installNodes(nodes: PackedNodes, userFolder: string): Promise<void> {
	const home = path.join(userFolder, '.n8n', 'nodes');
	const stampFile = path.join(home, '.installed');
	const target = path.join(home, 'node_modules', nodes.packageName);
	const there =
		existsSync(target) && existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === nodes.fingerprint;
	if (there) return;
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
	await writeFile(stampFile, nodes.fingerprint);
}

async function npm(npmArguments: string[], logName: string, cwd = folders.project): Promise<void> {
	const options: ProcessOptions = { cwd, logFile: path.join(folders.logs, logName), env: process.env };
	try {
		await runNpm(npmArguments, options);
	} catch (failure) {
		if (!(failure instanceof CommandFailure)) throw failure;
		const lastLines = failure.log.trimEnd().split('\n').slice(-20).join('\n');
		throw new Problem(`${failure.message}\n${lastLines}`, `The whole log: ${failure.logFile}`);
	}
}

/** One digest over the names and contents of files, and of all files below folders. */
async function fingerprintOf(places: string[]): Promise<string> {
	const digest = createHash('sha256');
	for (const place of places) {
		const isFolder = (await stat(place)).isDirectory();
		const below = isFolder ? (await readdir(place, { recursive: true })).sort() : [];
		for (const file of [place, ...below.map((name) => path.join(place, name))]) {
			const content = (await stat(file)).isFile() ? await readFile(file) : '';
			digest.update(`${file}\0`).update(content);
		}
	}
	return digest.digest('hex');
}
