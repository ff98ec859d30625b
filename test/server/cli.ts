import { execSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { installN8n } from '../../tools/host/install';
import { runJest } from '../runJest';
import { recordResult } from './results';
import { readCommandLine, readServerSettings, shapeOf, usage } from './serverSettings';

const CONFIG = path.join(__dirname, 'jest.config.js');

/** `npm run test:server`: runs the tests against a real n8n and exits with jest's exit code. */
async function main(): Promise<void> {
	const { help, record, environment, forJest } = readCommandLine(process.argv.slice(2), newestN8n);
	if (help) {
		console.log(usage);
		return;
	}
	if (!record) {
		process.exitCode = await runJest(CONFIG, forJest, environment);
		return;
	}
	const folder = mkdtempSync(path.join(tmpdir(), 'server-test-'));
	try {
		const totals = path.join(folder, 'totals.json');
		process.exitCode = await runJest(CONFIG, ['--json', '--outputFile', totals], environment);
		const settings = readServerSettings(environment);
		recordResult(totals, await installN8n(settings.n8nVersion), shapeOf(settings), new Date());
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function newestN8n(): string {
	return execSync('npm view n8n version', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

void main();
