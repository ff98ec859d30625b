import { execSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { installN8n } from '../../tools/host/install';
import { recordResult } from './results';
import { readCommandLine, readServerSettings, shapeOf, usage } from './serverSettings';

/** `npm run test:server`: runs the tests against a real n8n and exits with jest's exit code. */
async function main(): Promise<void> {
	const { help, record, environment, forJest } = readCommandLine(process.argv.slice(2), newestN8n);
	if (help) {
		console.log(usage);
		return;
	}
	if (!record) {
		process.exitCode = await runJest(forJest, environment);
		return;
	}
	const folder = mkdtempSync(path.join(tmpdir(), 'server-test-'));
	try {
		const totals = path.join(folder, 'totals.json');
		process.exitCode = await runJest(['--json', '--outputFile', totals], environment);
		const settings = readServerSettings(environment);
		recordResult(totals, await installN8n(settings.n8nVersion), shapeOf(settings), new Date());
	} finally {
		rmSync(folder, { recursive: true });
	}
}

/** @returns the exit code */
async function runJest(parameters: string[], environment: Record<string, string>): Promise<number> {
	const child = spawn(
		process.execPath,
		[
			'--experimental-vm-modules',
			'--disable-warning=ExperimentalWarning',
			createRequire(__filename).resolve('jest/bin/jest'),
			'--config',
			path.join(__dirname, 'jest.config.js'),
			...parameters,
		],
		{ stdio: 'inherit', env: { ...process.env, ...environment } },
	);
	// Jest receives Ctrl-C too; this process only waits for it to exit.
	process.on('SIGINT', () => undefined);
	const [code] = (await once(child, 'exit')) as [number | null];
	return code ?? 1;
}

function newestN8n(): string {
	return execSync('npm view n8n version', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

void main();
