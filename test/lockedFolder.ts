import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runOrThrow } from './verify/run';

/**
 * Installs the packages of a folder with its own lock file, on first use and whenever the lock file changes.
 *
 * @param title names what is installed
 */
export async function installLocked(folder: string, title: string): Promise<void> {
	const lock = await readFile(path.join(folder, 'package-lock.json'));
	const stamp = createHash('sha256').update(lock).digest('hex');
	const stampFile = path.join(folder, 'node_modules', '.installed-lock');
	if ((await readFile(stampFile, 'utf8').catch(() => '')) === stamp) return;

	console.log(`      Installing ${title} (first use, or its lock file changed) …`);
	await runOrThrow('npm', ['ci', '--loglevel=error'], folder);
	await writeFile(stampFile, stamp);
}
