import { execSync, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

import { readCommandLine, usage } from './serverSettings';

/** `npm run test:server`: runs the tests against a real n8n and exits with jest's exit code. */
function main(): void {
	const { help, environment, forJest } = readCommandLine(process.argv.slice(2), newestN8n);
	if (help) {
		console.log(usage);
		return;
	}
	const jest = createRequire(__filename).resolve('jest/bin/jest');
	const child = spawn(
		process.execPath,
		[
			'--experimental-vm-modules',
			'--disable-warning=ExperimentalWarning',
			jest,
			'--config',
			path.join(__dirname, 'jest.config.js'),
			...forJest,
		],
		{ stdio: 'inherit', env: { ...process.env, ...environment } },
	);
	// Jest receives Ctrl-C too; this process only waits for it to exit.
	process.on('SIGINT', () => undefined);
	child.once('exit', (code) => (process.exitCode = code ?? 1));
}

function newestN8n(): string {
	return execSync('npm view n8n version', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

main();
