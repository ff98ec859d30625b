import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runJest } from './runJest';

const PROJECT = join(__dirname, '..');

/** `npm test`: checks the types while the tests run. Its arguments go to Jest. */
async function main(): Promise<void> {
	const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
	// What was right in the last run and has not changed is not checked again.
	const known = join(PROJECT, 'node_modules/.cache/types.tsbuildinfo');
	const types = spawn(process.execPath, [tsc, '--noEmit', '--incremental', '--tsBuildInfoFile', known], {
		cwd: PROJECT,
		stdio: 'inherit',
	});
	const typesChecked = once(types, 'exit') as Promise<[number | null]>;
	const code = await runJest(join(PROJECT, 'jest.config.js'), process.argv.slice(2));
	if (types.exitCode === null) console.log('Checking the types …');
	const [typesCode] = await typesChecked;
	if (typesCode !== 0) console.error('The types are wrong; see above.');
	process.exitCode = code === 0 && typesCode === 0 ? 0 : 1;
}

void main();
