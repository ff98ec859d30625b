import { execSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../tools/host/command';
import { folders } from '../../tools/host/folders';
import { installN8n } from '../../tools/host/install';
import { runJest } from '../runJest';
import { recordResult } from './results';
import { readCommandLine, readServerSettings, shapeOf, usage } from './serverSettings';

const CONFIG = path.join(__dirname, 'jest.config.js');
/** The file with Jest's results of a run that is recorded. */
const TOTALS = path.join(folders.project, 'coverage/server-test.json');

/** `npm run test:server`: runs the tests against a real n8n, and exits with Jest's exit code. */
runCommand(usage, async (commandLine) => {
	const { record, environment, forJest } = readCommandLine(commandLine, newestN8n);
	if (record) {
		mkdirSync(path.dirname(TOTALS), { recursive: true });
		rmSync(TOTALS, { force: true });
		forJest.push('--json', '--outputFile', TOTALS);
	}
	process.exitCode = await runJest(CONFIG, forJest, environment);
	if (!record) return;
	const settings = readServerSettings(environment);
	recordResult(TOTALS, await installN8n(settings.n8nVersion), shapeOf(settings));
});

function newestN8n(): string {
	return execSync('npm view n8n version', { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}
