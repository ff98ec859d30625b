import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import type * as Engine from './engine';
import type { Outcome, Task } from './messages';

process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'bench-'));
process.env.N8N_ENCRYPTION_KEY = 'bench';
process.env.N8N_LOG_LEVEL = 'silent';

async function main(): Promise<void> {
	// n8n reads its environment when it is first required.
	const { initialise, run } = createRequire(__filename)('./engine') as typeof Engine;
	await initialise();
	process.on('message', (task: Task) => {
		void run(task).then(
			(outcome: Outcome) => process.send!(outcome),
			(error: Error) => process.send!({ stopped: error.message, succeeded: 0 }),
		);
	});
	process.send!('ready');
}

void main();
