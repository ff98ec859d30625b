import path from 'node:path';
import type { Outcome } from './packageFacts';
import { runOrThrow } from './run';

/** n8n's scan has its own folder, because it needs different versions of eslint and typescript than the project. */
export const SCAN_FOLDER = path.join(__dirname, 'scan');
export const SCAN_MODULES = path.join(SCAN_FOLDER, 'node_modules');

/**
 * Runs n8n's rules on the source tree or the unpacked tarball; warnings count as findings. Its packages must be installed.
 */
export async function communityScan(leg: 'source' | 'tarball', folder: string): Promise<Outcome> {
	const output = await runOrThrow(process.execPath, ['scan.mjs', leg, folder], SCAN_FOLDER);
	const { files, findings } = JSON.parse(output) as { files: number; findings: string[] };
	return { detail: `${files} files, no errors or warnings`, findings };
}
