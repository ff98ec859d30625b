import path from 'node:path';
import { installLocked } from '../lockedFolder';
import { runJest } from '../runJest';
import { CORES, SMOKE } from './cores';

const CONFIG = path.join(__dirname, 'jest.config.js');

/**
 * `npm run test:cores`: runs the engine tests in older engines of n8n, or with `--smoke` some of them. Passes its other
 * arguments to Jest.
 */
async function main(): Promise<void> {
	const args = process.argv.slice(2);
	const forJest = args.filter((argument) => argument !== '--smoke');
	if (forJest.length < args.length) forJest.push('--runTestsByPath', ...SMOKE);
	for (const version of CORES) {
		console.log(`Engine of n8n ${version}`);
		await installLocked(path.join(__dirname, version), `the engine of n8n ${version}`);
		process.exitCode ||= await runJest(CONFIG, forJest, { ENGINE_TEST_CORE: version });
	}
}

void main();
