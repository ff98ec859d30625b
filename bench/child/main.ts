import { createRequire } from 'node:module';
import type * as Engine from './engine';
import type { Outcome, Task } from './messages';

async function main(): Promise<void> {
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
