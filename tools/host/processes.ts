import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What {@link startProcess} needs: the log takes all output and is begun anew. */
export interface ProcessOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
	logFile: string;
}

/** A command that ended with a failure; `log` is all it printed. */
export class CommandFailure extends Error {
	constructor(
		command: string,
		readonly log: string,
		readonly logFile: string,
	) {
		super(`"${command}" failed.`);
		this.name = 'CommandFailure';
	}
}

const isWindows = process.platform === 'win32';
const running = new Set<ChildProcess>();

// Last resort, whatever ended this process: no child outlives it.
process.on('exit', () => running.forEach(killGroup));

/**
 * Starts a program in a process group of its own, so that Ctrl-C in the terminal reaches only the demo, which then
 * stops its children in order, and so that nothing a child started stays behind. Its standard input is a pipe
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

/** Asks a program to stop, waits for it, and ends it and all it started when it has not within the given ms. */
export async function stopProcess(child: ChildProcess, graceMs = 15_000): Promise<void> {
	if (hasEnded(child)) return;
	const exited = once(child, 'exit');
	const impatience = setTimeout(() => killGroup(child), graceMs);
	child.kill('SIGTERM');
	await exited;
	clearTimeout(impatience);
}

/** Stops every program that is still running: helpers, which need little time to give up. */
export async function stopAllProcesses(): Promise<void> {
	await Promise.all([...running].map((child) => stopProcess(child, 1000)));
}

/** Whether a program has ended, by itself or by a signal. */
export function hasEnded(child: ChildProcess): boolean {
	return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/**
 * Runs a program to its end.
 *
 * @throws CommandFailure when it ends with another code than 0, or cannot be started
 */
export async function run(command: string, args: string[], options: ProcessOptions): Promise<void> {
	const child = startProcess(command, args, options);
	const title = [path.basename(command), ...args].join(' ');
	const code = await new Promise<number | null>((resolve, reject) => {
		child.once('exit', resolve);
		child.once('error', (failure) => {
			reject(new CommandFailure(title, failure.message, options.logFile));
		});
	});
	if (code !== 0) throw new CommandFailure(title, readFileSync(options.logFile, 'utf8'), options.logFile);
}

/** Runs npm with the given arguments: the very npm that started the demo, where there is one. */
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
		// Nothing is left of the group, which is what was wanted.
	}
}
