import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { folders } from '../../tools/host/folders';
import { Problem } from '../../tools/host/problem';
import { runNpm, stopAllProcesses } from '../../tools/host/processes';
import { formatDuration } from '../../tools/host/progress';
import { nightlyParts, type NightlyPart } from './parts';

const FOLDER = path.join(folders.project, 'coverage/nightly');
/** The folders and files on which the outcome depends. */
const SOURCES = ['credentials', 'emulator', 'examples', 'nodes', 'test', 'tools'];
const LOCK_FILES = ['package-lock.json', 'demo/package-lock.json'];

const HELP = `npm run nightly -- [--only name] [--fresh]

Runs what takes too long for every change, and prints one line for each part; the output of a part is in coverage/nightly.
An interrupted run goes on where it was: a part that has passed runs again only when the code changes.

  --only NAME    run the parts whose names contain this word
  --fresh        forget what has passed
  --help         show this help

Parts: ${nightlyParts()
	.map(({ name }) => name)
	.join(', ')}`;

runCommand(HELP, async (args) => {
	const { values } = parseArgs({
		args,
		options: { only: { type: 'string', default: '' }, fresh: { type: 'boolean', default: false } },
	});
	const parts = nightlyParts().filter(({ name }) => name.includes(values.only));
	if (parts.length === 0) throw new Problem(`No part has "${values.only}" in its name.`, HELP);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void stopAllProcesses().then(() => process.exit(130)));
	}
	mkdirSync(FOLDER, { recursive: true });
	const digest = digestOfCode();
	for (const part of parts) {
		// The name is printed first, so that the line shows which part is running.
		process.stdout.write(part.name.padEnd(18));
		const result = await resultOf(part, digest, values.fresh);
		if (result.startsWith('FAILED')) process.exitCode = 1;
		process.stdout.write(`${result}\n`);
	}
});

/** Runs a part unless it has passed for this code or lacks a program. @returns the outcome, in words */
async function resultOf(
	{ name, command, needs = [] }: NightlyPart,
	digest: string,
	isFresh: boolean,
): Promise<string> {
	const passedFile = path.join(FOLDER, `${name}.passed`);
	const logFile = path.join(FOLDER, `${name}.log`);
	const hasPassed = existsSync(passedFile) && readFileSync(passedFile, 'utf8') === digest;
	if (hasPassed && !isFresh) return 'passed before, with the same code';
	try {
		for (const find of needs) find();
	} catch (failure) {
		if (failure instanceof Problem) return `skipped: ${failure.message}`;
		throw failure;
	}
	const startedAt = performance.now();
	const timeTaken = () => formatDuration(performance.now() - startedAt);
	const [script, ...options] = command;
	try {
		await runNpm(['run', script, '--', ...options], { cwd: folders.project, env: process.env, logFile });
	} catch (failure) {
		if (failure instanceof Problem) return `FAILED after ${timeTaken()}, see ${logFile}`;
		throw failure;
	}
	writeFileSync(passedFile, digest);
	return `passed in ${timeTaken()}`;
}

/** A hash of everything that the outcome depends on but installed packages, and of the locked versions of these. */
function digestOfCode(): string {
	const hash = createHash('sha256');
	const sources = SOURCES.map((folder) => path.join(folders.project, folder)).flatMap((folder) =>
		readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile() && !/\bnode_modules\b/.test(entry.parentPath))
			.map(({ parentPath, name }) => path.join(parentPath, name)),
	);
	const locks = LOCK_FILES.map((file) => path.join(folders.project, file));
	for (const file of [...locks, ...sources.sort()]) hash.update(file).update(readFileSync(file));
	return hash.digest('hex');
}
