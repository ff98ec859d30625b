import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { folders } from './folders';
import type { Owner } from './n8nTypes';
import { errorCode, Problem } from './problem';
import { isAlive } from './processes';

const ownerFile = path.join(folders.state, 'owner.json');
const runningFile = path.join(folders.state, 'running.pid');

/** The content of a file of the demo's state; undefined when there is none, or when it was not written completely. */
export async function readState<Content>(file: string): Promise<Content | undefined> {
	try {
		return JSON.parse(await readFile(file, 'utf8')) as Content;
	} catch (failure) {
		if (failure instanceof SyntaxError || errorCode(failure) === 'ENOENT') return undefined;
		throw failure;
	}
}

/** Returns the account that signs in to the editor. Generates its password on the first start, and stores it. */
export async function readOwner(): Promise<Owner> {
	const known = await readState<Owner>(ownerFile);
	if (known) return known;
	// n8n requires a capital letter and a digit.
	const owner = { email: 'demo@n8n.example', password: `A1-${randomBytes(9).toString('base64url')}` };
	await mkdir(folders.state, { recursive: true });
	await writeFile(ownerFile, JSON.stringify(owner, null, 2), { mode: 0o600 });
	return owner;
}

/** @throws Problem when a demo is already starting or running in this folder, because two would share one database */
export async function requireNoRunningDemo(): Promise<void> {
	await mkdir(folders.state, { recursive: true });
	if (await claim(runningFile)) return;
	throw new Problem(
		'The demo is already starting or running in this folder.',
		`Use it, or stop it (Ctrl-C in its terminal). If no terminal shows it, delete ${runningFile}, and run npm start again.`,
	);
}

/** Records that the demo has stopped. */
export async function clearRunning(): Promise<void> {
	await rm(runningFile, { force: true });
}

/**
 * Writes the ID of this process into a file unless the file names another process that is alive.
 *
 * @returns whether this process now owns the file
 */
export async function claim(file: string): Promise<boolean> {
	for (;;) {
		try {
			await writeFile(file, String(process.pid), { flag: 'wx' });
			return true;
		} catch (failure) {
			if (errorCode(failure) !== 'EEXIST') throw failure;
		}
		const owner = existsSync(file) ? await readFile(file, 'utf8') : '';
		if (isAlive(Number(owner))) return false;
		await rm(file, { force: true });
	}
}
