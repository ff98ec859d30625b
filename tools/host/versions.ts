import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { folders } from './settings';

/** The parts of `demo/package.json` that an installation of another n8n takes over. */
interface DemoManifest {
	dependencies: { n8n: string } & Record<string, string>;
	overrides: Record<string, string>;
}

/**
 * For versions older than the demo's, whose packages have moved on since. Up to 2.33, n8n takes xlsx from a host of its
 * own, which not every network lets through; this is the same code from the registry.
 */
const OLD_OVERRIDES = {
	linkedom: '0.18.12',
	'msgpackr-extract': '3.0.4',
	xlsx: 'npm:@e965/xlsx@0.20.3',
};

/**
 * The manifest for another n8n than the demo's: with the same Node, and with the demo's overrides only where they fit.
 * Pure.
 */
export function manifestFor(version: string, { dependencies, overrides }: DemoManifest): object {
	const isOlder = minorOf(version) < minorOf(dependencies.n8n);
	return {
		name: 'n8n-under-test',
		private: true,
		dependencies: { ...dependencies, n8n: version },
		overrides: isOlder ? OLD_OVERRIDES : overrides,
	};
}

/**
 * A folder with a manifest for this n8n; N8N_VERSIONS_FOLDER in the environment says where such folders lie.
 *
 * @param lock makes the lock file in the folder that it is given; asked for when there is none that fits
 */
export async function prepareVersion(
	version: string,
	lock: (home: string) => Promise<void>,
): Promise<string> {
	const versions = process.env.N8N_VERSIONS_FOLDER ?? path.join(folders.state, 'versions');
	const home = path.resolve(versions, version);
	const manifestFile = path.join(home, 'package.json');
	const lockFile = path.join(home, 'package-lock.json');
	const demo = JSON.parse(await readFile(path.join(folders.demo, 'package.json'), 'utf8')) as DemoManifest;
	const manifest = JSON.stringify(manifestFor(version, demo), null, 2);
	const isKnown = existsSync(lockFile) && (await readFile(manifestFile, 'utf8')) === manifest;
	if (isKnown) return home;
	await mkdir(home, { recursive: true });
	await copyFile(path.join(folders.demo, '.npmrc'), path.join(home, '.npmrc'));
	await writeFile(manifestFile, manifest);
	await rm(lockFile, { force: true });
	await lock(home);
	return home;
}

function minorOf(version: string): number {
	return Number(version.split('.')[1]);
}
