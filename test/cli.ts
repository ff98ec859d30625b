import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** `npm test`: checks the types while the tests run. Its arguments go to Jest. */

const PROJECT = join(__dirname, '..');
const running = new Set<ChildProcess>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		for (const child of running) child.kill(signal);
		process.exitCode = 1;
	});
}

/** Runs a program of a package of the project. @returns whether it succeeded */
async function run(flags: string[], program: string, parameters: string[]): Promise<boolean> {
	const script = join(PROJECT, 'node_modules', program);
	const child = spawn(process.execPath, [...flags, script, ...parameters], {
		cwd: PROJECT,
		stdio: 'inherit',
	});
	running.add(child);
	const [code] = (await once(child, 'exit')) as [number | null];
	running.delete(child);
	return code === 0;
}

async function main(): Promise<void> {
	// An SDK in the tests of the emulator can only be reached with import(), which Jest needs the first flag for.
	const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
	// What was right in the last run and has not changed is not checked again.
	const known = join(PROJECT, 'node_modules', '.cache', 'types.tsbuildinfo');
	const types = run([], 'typescript/bin/tsc', ['--noEmit', '--incremental', '--tsBuildInfoFile', known]);
	const areTestsGreen = await run(flags, 'jest/bin/jest.js', process.argv.slice(2));
	if (running.size > 0) console.log('Checking the types …');
	const areTypesRight = await types;
	if (!areTypesRight) console.error('The types are wrong; see above.');
	process.exitCode = areTypesRight && areTestsGreen ? 0 : 1;
}

void main();
