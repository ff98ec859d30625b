import path from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { folders } from '../../tools/host/folders';
import { Problem } from '../../tools/host/problem';
import { CommandFailure, runNpm, stopAllProcesses } from '../../tools/host/processes';
import { nightlyParts, type NightlyPart } from './parts';
import { digestOf, Passed } from './passed';
import { runParts } from './runParts';

const FOLDER = path.join(folders.project, 'coverage/nightly');
/** What the outcome depends on. */
const SOURCES = ['credentials', 'emulator', 'examples', 'nodes', 'test', 'tools'];

const HELP = `npm run nightly -- [--only name] [--fresh]

Runs what takes too long for every change, and prints one line for each part; the output of a part is in coverage/nightly.
An interrupted run goes on where it was: a part that has passed runs again only when the code changes.

  --only NAME    run the parts whose names contain this word
  --fresh        forget what has passed
  --help         show this help

Parts: ${nightlyParts()
	.map(({ name }) => name)
	.join(', ')}`;

/** @returns whether it passed, and where its output is */
async function run({ name, command }: NightlyPart): Promise<{ isGreen: boolean; logFile: string }> {
	const logFile = path.join(FOLDER, `${name}.log`);
	const [script, ...options] = command;
	try {
		await runNpm(['run', script, '--', ...options], { cwd: folders.project, env: process.env, logFile });
		return { isGreen: true, logFile };
	} catch (failure) {
		if (failure instanceof CommandFailure) return { isGreen: false, logFile };
		throw failure;
	}
}

runCommand(HELP, async (args) => {
	const { values } = parseArgs({
		args,
		options: { only: { type: 'string', default: '' }, fresh: { type: 'boolean', default: false } },
	});
	const parts = nightlyParts().filter(({ name }) => name.includes(values.only));
	if (parts.length === 0) throw new Problem(`No part has "${values.only}" in its name.`, HELP);
	const passed = new Passed(FOLDER, digestOf(SOURCES));
	if (values.fresh) passed.clear();
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void stopAllProcesses().then(() => process.exit(130)));
	}
	const write = (text: string) => void process.stdout.write(text);
	const isGreen = await runParts(parts, { passed, run, write, now: () => performance.now() });
	process.exitCode = isGreen ? 0 : 1;
});
