import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { errorCode, problemWithLog } from './problem';

/** Options of {@link startProcess}. The log file receives all output and is overwritten. */
export interface ProcessOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	logFile: string;
	/** The user of the system that runs it; default: the user of this process. */
	user?: { uid: number; gid: number };
}

/** How long a program may take to become ready, in ms; the first start of n8n also creates its database. */
const readyWithinMs = 180_000;
const isWindows = process.platform === 'win32';
const running = new Set<ChildProcess>();

// Last resort: no child process outlives this one, however it ends.
process.on('exit', () => running.forEach(killGroup));

/**
 * Starts a program in its own process group. Ctrl-C in the terminal then reaches only this process, which stops its
 * children in order, and the programs that a child has started can be stopped with it. The standard input is a pipe
 * that closes when this process ends.
 */
export function startProcess(command: string, args: string[], options: ProcessOptions): ChildProcess {
	mkdirSync(path.dirname(options.logFile), { recursive: true });
	const log = openSync(options.logFile, 'w');
	const child = spawn(command, args, {
		cwd: options.cwd,
		env: options.env,
		detached: !isWindows,
		windowsHide: true,
		stdio: ['pipe', log, log],
		...options.user,
	});
	closeSync(log);
	running.add(child);
	child.once('exit', () => {
		killGroup(child);
		running.delete(child);
	});
	child.once('error', () => running.delete(child));
	return child;
}

/**
 * Waits until a program that was started can be used.
 *
 * @throws Problem when it ends before that, or takes too long and is stopped; with the last lines of its log
 */
export async function untilReady(
	name: string,
	child: ChildProcess,
	logFile: string,
	isReady: () => boolean | Promise<boolean>,
): Promise<void> {
	const deadline = Date.now() + readyWithinMs;
	while (!(await isReady())) {
		if (hasEnded(child)) throw problemWithLog(`${name} exited while it was starting`, logFile);
		if (Date.now() > deadline) {
			await stopProcess(child);
			throw problemWithLog(`${name} was not ready after ${readyWithinMs / 1000} s`, logFile);
		}
		await sleep(200);
	}
}

/** Asks a program to stop and waits for it; after `graceMs`, kills it and everything it has started. */
export async function stopProcess(child: ChildProcess, graceMs = 15_000): Promise<void> {
	if (hasEnded(child)) return;
	const exited = once(child, 'exit');
	const killTimer = setTimeout(() => killGroup(child), graceMs);
	child.kill('SIGTERM');
	await exited;
	clearTimeout(killTimer);
}

/** Kills a program (SIGKILL) and everything it has started, as in a crash; resolves when it has ended. */
export async function killProcess(child: ChildProcess): Promise<void> {
	if (hasEnded(child)) return;
	const exited = once(child, 'exit');
	killGroup(child);
	await exited;
}

/** Stops all programs that are still running; they get one second to exit. */
export async function stopAllProcesses(): Promise<void> {
	await Promise.all([...running].map((child) => stopProcess(child, 1000)));
}

/** Tells whether a program has exited or was ended by a signal. */
export function hasEnded(child: ChildProcess): boolean {
	return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Tells whether a process of this machine is running. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (failure) {
		// A process of another user cannot be signaled.
		return errorCode(failure) === 'EPERM';
	}
}

/**
 * Runs a program and waits until it exits.
 *
 * @throws Problem with the last lines of its output when its exit code is not 0, or it cannot be started
 */
export async function run(command: string, args: string[], options: ProcessOptions): Promise<void> {
	const child = startProcess(command, args, options);
	const code = await new Promise<number | string | null>((resolve) => {
		child.once('exit', resolve);
		child.once('error', ({ message }) => resolve(message));
	});
	if (code === 0) return;
	const title = `"${[path.basename(command), ...args].join(' ')}" failed`;
	throw problemWithLog(typeof code === 'string' ? `${title}, ${code}` : title, options.logFile);
}

/** Runs npm with the given arguments, preferably the npm that started this process. */
export async function runNpm(args: string[], options: ProcessOptions): Promise<void> {
	const npmScript = process.env.npm_execpath;
	if (npmScript && path.basename(npmScript) === 'npm-cli.js') {
		await run(process.execPath, [npmScript, ...args], options);
	} else {
		await run('npm', args, options);
	}
}

function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	if (isWindows) {
		spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
		return;
	}
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch {
		// The whole group has already ended.
	}
}
