import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { folders } from './folders';
import type { Owner } from './n8nTypes';
import { errorCode, Problem } from './problem';
import { isAlive } from './processes';
import { isReady } from './server';

const ownerFile = path.join(folders.state, 'owner.json');
const runningFile = path.join(folders.state, 'running.json');

/** A demo that is starting or running in this folder. */
export interface RunningDemo {
	/** The process of `npm start`. */
	pid: number;
	/** The editor's address; undefined while the demo is starting. */
	url?: string;
}

/** The content of a file of the demo's state; undefined when there is none, or when it was not written completely. */
export async function readState<Content>(file: string): Promise<Content | undefined> {
	try {
		return JSON.parse(await readFile(file, 'utf8')) as Content;
	} catch (failure) {
		if (failure instanceof SyntaxError || errorCode(failure) === 'ENOENT') return undefined;
		throw failure;
	}
}

/** The account that signs in to the editor; its password is generated on the first start and stored. */
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
	const running = await readState<RunningDemo>(runningFile);
	if (!running) return;
	const { pid, url } = running;
	// The file of a demo that was killed is ignored, also when its process ID or its port belongs to another program now.
	if (!isAlive(pid) || (url !== undefined && !(await isReady(url)))) return;
	if (url !== undefined) {
		throw new Problem(
			`The demo is already running: ${url}`,
			'Use it, or stop it (Ctrl-C in its terminal) and run npm start again.',
		);
	}
	throw new Problem(
		'The demo is already being started from this folder.',
		`Wait for it. If no other terminal shows it, delete ${runningFile} and run npm start again.`,
	);
}

/** Records that the demo is starting, or running at an address. */
export async function markRunning(url?: string): Promise<void> {
	await mkdir(folders.state, { recursive: true });
	const demo: RunningDemo = { pid: process.pid, url };
	await writeFile(runningFile, JSON.stringify(demo, null, 2));
}

/** Records that the demo has stopped. */
export async function clearRunning(): Promise<void> {
	await rm(runningFile, { force: true });
}
