import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../tools/host/command';
import { formatDuration } from '../../tools/host/progress';
import { type Fault, faults, plantedSource } from './faults';

const PROJECT = join(__dirname, '../..');
const SIMULATION = 'test/simulation/simulation.test.ts';

const HELP = `npm run faults -- [--only words] [--parallel 2]

Plants each fault of test/faults/faults.txt, one at a time and only in memory, and runs the tests that may find it until one does.
--only tries the faults with these words in their promise or their file.`;

runCommand(HELP, async (args) => {
	const { values } = parseArgs({
		args,
		options: { only: { type: 'string', default: '' }, parallel: { type: 'string', default: '2' } },
	});
	const left = faults().filter(({ promise, file }) => `${promise} ${file}`.includes(values.only));
	const total = left.length;
	let found = 0;
	const tryOthers = async () => {
		for (let fault = left.shift(); fault; fault = left.shift()) {
			const startedAt = performance.now();
			const test = await testThatFinds(fault);
			if (test !== undefined) found += 1;
			const took = formatDuration(performance.now() - startedAt);
			console.log(`${test ?? 'NOT FOUND'} (${took}): ${fault.file}: ${fault.promise}`);
		}
	};
	await Promise.all(Array.from({ length: Number(values.parallel) }, tryOthers));
	console.log(`${found} of ${total} faults were found.`);
	process.exitCode = found === total ? 0 : 1;
});

/** Returns the name of the first test file that fails with a fault; undefined if none does. */
async function testThatFinds(fault: Fault): Promise<string | undefined> {
	const path = join(PROJECT, fault.file);
	// Jest does not know which files the simulation uses, because it is a bundle.
	const related = ['--findRelatedTests', path];
	return (await firstFailed(fault, path, related)) ?? (await firstFailed(fault, path, [SIMULATION]));
}

async function firstFailed(fault: Fault, path: string, tests: string[]): Promise<string | undefined> {
	const args = ['-c', 'test/faults/jest.config.js', '--runInBand', ...tests];
	const jest = spawn(process.execPath, [require.resolve('jest/bin/jest'), ...args], {
		cwd: PROJECT,
		env: { ...process.env, PLANTED_FILE: path, PLANTED_SOURCE: plantedSource(fault) },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [jest.stdout, jest.stderr]) stream.on('data', (text) => (output += String(text)));
	const [code] = (await once(jest, 'exit')) as [number | null];
	if (code === 0) return undefined;
	const test = /FAIL .*?test\/(\S+)/.exec(output)?.[1];
	if (test === undefined) throw new Error(`The tests did not run:\n${output.slice(-2_000)}`);
	return test;
}
