import { join } from 'node:path';
import { runJest } from './runJest';

/** The tests that `npm test` runs with some of their cases. */
const FILES = [
	'faults/abandonment.test.ts',
	'hostile/hostile.test.ts',
	'secrets/everyPlace.test.ts',
	'engine/memory.test.ts',
].map((file) => join('test/integration', file));

/** `npm run reliability`: runs these tests with all of their cases. Its arguments go to Jest. */
async function main(): Promise<void> {
	const parameters = [...process.argv.slice(2), '--runTestsByPath', ...FILES];
	process.exitCode = await runJest(join(__dirname, '../jest.config.js'), parameters, {
		ALL_TEST_CASES: 'true',
	});
}

void main();
