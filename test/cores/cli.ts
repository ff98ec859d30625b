import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { installLocked } from '../lockedFolder';
import { CORES } from './cores';

/** `npm run test:cores`: runs the engine tests in older engines of n8n. Its arguments go to Jest. */
async function main(): Promise<void> {
	for (const version of CORES) {
		console.log(`Engine of n8n ${version}`);
		await installLocked(path.join(__dirname, version), `the engine of n8n ${version}`, console.log);
		const child = spawn(
			process.execPath,
			[
				'--experimental-vm-modules',
				'--disable-warning=ExperimentalWarning',
				createRequire(__filename).resolve('jest/bin/jest'),
				'--config',
				path.join(__dirname, 'jest.config.js'),
				...process.argv.slice(2),
			],
			{ stdio: 'inherit', env: { ...process.env, ENGINE_TEST_CORE: version } },
		);
		const [code] = (await once(child, 'exit')) as [number | null];
		process.exitCode ||= code ?? 1;
	}
}

void main();
