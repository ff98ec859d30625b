import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { folders } from './folders';

/** Versions that replace those which packages require. Nested versions apply only within that package. */
type Overrides = { [name: string]: string | Overrides };

/** The parts of `demo/package.json` that installations of other n8n versions use. */
interface DemoManifest {
	dependencies: { n8n: string } & Record<string, string>;
	overrides: Overrides;
}

/**
 * Overrides for versions older than the one in `demo/`, whose dependencies have changed since. Up to 2.33, n8n
 * downloads xlsx from a separate host, which some networks block; this is the same code from the npm registry. Newer
 * versions of langgraph-checkpoint need a package that old versions of n8n do not have.
 */
const OLD_OVERRIDES: Overrides = {
	'@langchain/langgraph-checkpoint': '1.0.0',
	linkedom: '0.18.12',
	'msgpackr-extract': '3.0.4',
	xlsx: 'npm:@e965/xlsx@0.20.3',
};

/** Before 2.30, newer versions of langgraph need a newer core of LangChain than n8n has. */
const OVERRIDES_BEFORE_30: Overrides = { ...OLD_OVERRIDES, langchain: { '@langchain/langgraph': '1.2.0' } };

/**
 * Returns the manifest for a version of n8n other than the one in `demo/`. It has the same Node and, unless the version
 * is older, the same overrides. Pure.
 */
export function manifestFor(version: string, { dependencies, overrides }: DemoManifest): object {
	return {
		name: 'n8n-under-test',
		private: true,
		dependencies: { ...dependencies, ...dependenciesOf(version), n8n: version },
		overrides: minorOf(version) < minorOf(dependencies.n8n) ? overridesBefore(version) : overrides,
	};
}

/**
 * Prepares a folder with the manifest and lock file of an n8n version.
 *
 * @param lock creates the lock file in the given folder; called if there is no matching one
 * @returns the absolute path of the folder
 */
export async function prepareVersion(
	version: string,
	lock: (home: string) => Promise<void>,
): Promise<string> {
	const home = path.join(folders.state, 'versions', version);
	const manifestFile = path.join(home, 'package.json');
	const lockFile = path.join(home, 'package-lock.json');
	const demo = JSON.parse(await readFile(path.join(folders.demo, 'package.json'), 'utf8')) as DemoManifest;
	const manifest = JSON.stringify(manifestFor(version, demo), null, 2);
	const isPrepared = existsSync(lockFile) && (await readFile(manifestFile, 'utf8')) === manifest;
	if (isPrepared) return home;
	await mkdir(home, { recursive: true });
	await copyFile(path.join(folders.demo, '.npmrc'), path.join(home, '.npmrc'));
	await writeFile(manifestFile, manifest);
	await rm(lockFile, { force: true });
	await lock(home);
	return home;
}

/**
 * Returns additional dependencies. In these versions, a newer Sentry is installed than the one they were made with. It
 * uses whatever version of the core of OpenTelemetry is at the root.
 */
function dependenciesOf(version: string): Record<string, string> {
	const minor = minorOf(version);
	return minor >= 10 && minor < 30 ? { '@opentelemetry/core': '2.6.0' } : {};
}

function overridesBefore(version: string): Overrides {
	return minorOf(version) < 30 ? OVERRIDES_BEFORE_30 : OLD_OVERRIDES;
}

function minorOf(version: string): number {
	return Number(version.split('.')[1]);
}
