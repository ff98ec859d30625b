import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { folders } from './folders';
import type { Owner } from './n8nTypes';
import { Problem } from './problem';
import { isReady } from './server';

const ownerFile = path.join(folders.state, 'owner.json');
const runningFile = path.join(folders.state, 'running.json');

/** A running demo. */
export interface RunningDemo {
	/** The editor's address. */
	url: string;
}

/** The account that signs in to the editor; its password is generated on the first start and stored. */
export async function readOwner(): Promise<Owner> {
	if (existsSync(ownerFile)) return JSON.parse(await readFile(ownerFile, 'utf8')) as Owner;
	// n8n requires a capital letter and a digit.
	const owner = { email: 'demo@n8n.example', password: `A1-${randomBytes(9).toString('base64url')}` };
	await mkdir(folders.state, { recursive: true });
	await writeFile(ownerFile, JSON.stringify(owner, null, 2), { mode: 0o600 });
	return owner;
}

/** The demo that is running in this folder, or undefined. Ignores the file of a demo that was killed. */
export async function findRunningDemo(): Promise<RunningDemo | undefined> {
	if (!existsSync(runningFile)) return undefined;
	const demo = JSON.parse(await readFile(runningFile, 'utf8')) as RunningDemo;
	return (await isReady(demo.url)) ? demo : undefined;
}

/** @throws Problem when a demo is already running in this folder, because two would share one database */
export async function requireNoRunningDemo(): Promise<void> {
	const running = await findRunningDemo();
	if (!running) return;
	throw new Problem(
		`The demo is already running: ${running.url}`,
		'Use it, or stop it (Ctrl-C in its terminal) and run npm start again.',
	);
}

/** Records that the demo is running. */
export async function markRunning(demo: RunningDemo): Promise<void> {
	await writeFile(runningFile, JSON.stringify(demo, null, 2));
}

/** Records that the demo has stopped. */
export async function clearRunning(): Promise<void> {
	await rm(runningFile, { force: true });
}
