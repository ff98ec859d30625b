import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Outcome } from './report';
import { run, runOrThrow } from './run';

/** n8n's scan has its own folder, because it needs different versions of eslint and typescript than the project. */
export const SCAN_FOLDER = path.join(__dirname, 'scan');
export const SCAN_MODULES = path.join(SCAN_FOLDER, 'node_modules');

const STAMP_FILE = path.join(SCAN_MODULES, '.installed-lock');
const NO_NETWORK =
	/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT/;

/**
 * Installs the scan on first use and whenever its lock file changes.
 * @param announce receives a line before the installation, which takes up to a minute
 * @throws Error with instructions when it cannot be installed
 */
export async function installScan(announce: (line: string) => void): Promise<void> {
	const lock = await readFile(path.join(SCAN_FOLDER, 'package-lock.json'));
	const stamp = createHash('sha256').update(lock).digest('hex');
	if ((await readFile(STAMP_FILE, 'utf8').catch(() => '')) === stamp) return;

	announce("      Installing n8n's community scan (first use, or its lock file changed) …");
	const { exitCode, stderr } = await run('npm', ['ci', '--loglevel=error'], SCAN_FOLDER);
	if (exitCode !== 0) throw new Error(installFailure(stderr));
	await writeFile(STAMP_FILE, stamp);
}

function installFailure(stderr: string): string {
	return NO_NETWORK.test(stderr)
		? "n8n's community scan could not be installed, because the npm registry cannot be reached. " +
				'Connect to the network and try again; later runs work offline.'
		: `n8n's community scan could not be installed:\n${stderr}`;
}

/**
 * Runs n8n's rules on the source tree or the unpacked tarball; warnings count as findings. Requires {@link installScan}.
 */
export async function communityScan(leg: 'source' | 'tarball', folder: string): Promise<Outcome> {
	const output = await runOrThrow(process.execPath, ['scan.mjs', leg, folder], SCAN_FOLDER);
	const { files, findings } = JSON.parse(output) as { files: number; findings: string[] };
	return { detail: `${files} files, no errors or warnings`, findings };
}
