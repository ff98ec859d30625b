import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Problem } from './problem';
import type { Owner } from './rest';
import { isReady } from './server';
import { folders } from './settings';

const ownerFile = path.join(folders.state, 'owner.json');
const runningFile = path.join(folders.state, 'running.json');

/** A demo that is up. */
export interface RunningDemo {
	/** The editor's address. */
	url: string;
}

/** The account that signs in to the editor; its password is made up on the first start and kept. */
export async function readOwner(): Promise<Owner> {
	if (existsSync(ownerFile)) return JSON.parse(await readFile(ownerFile, 'utf8')) as Owner;
	// n8n asks for a capital letter and a digit.
	const owner = { email: 'demo@n8n.example', password: `A1-${randomBytes(9).toString('base64url')}` };
	await mkdir(folders.state, { recursive: true });
	await writeFile(ownerFile, JSON.stringify(owner, null, 2), { mode: 0o600 });
	return owner;
}

/** The demo that is up in this folder, or undefined. A note left by one that was killed does not count. */
export async function findRunningDemo(): Promise<RunningDemo | undefined> {
	if (!existsSync(runningFile)) return undefined;
	const demo = JSON.parse(await readFile(runningFile, 'utf8')) as RunningDemo;
	return (await isReady(demo.url)) ? demo : undefined;
}

/** @throws Problem when a demo is up in this folder: two would share one database */
export async function requireNoRunningDemo(): Promise<void> {
	const running = await findRunningDemo();
	if (!running) return;
	throw new Problem(
		`The demo is running already: ${running.url}`,
		'Use that one, or stop it (Ctrl-C in its terminal) and run npm start again.',
	);
}

/** Notes that the demo is up. */
export async function noteRunning(demo: RunningDemo): Promise<void> {
	await writeFile(runningFile, JSON.stringify(demo, null, 2));
}

/** Takes the note back. */
export async function noteStopped(): Promise<void> {
	await rm(runningFile, { force: true });
}
