import path from 'node:path';
import { installLocked } from '../lockedFolder';
import { runJest } from '../runJest';
import { CORES } from './cores';

/** `npm run test:cores`: runs the engine tests in older engines of n8n. Its arguments go to Jest. */
async function main(): Promise<void> {
	const config = path.join(__dirname, 'jest.config.js');
	for (const version of CORES) {
		console.log(`Engine of n8n ${version}`);
		await installLocked(path.join(__dirname, version), `the engine of n8n ${version}`, console.log);
		process.exitCode ||= await runJest(config, process.argv.slice(2), { ENGINE_TEST_CORE: version });
	}
}

void main();
