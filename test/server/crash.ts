import { parseArgs } from 'node:util';

import { runCommand } from '../../tools/host/command';
import { stopAllProcesses } from '../../tools/host/processes';
import { openStage } from '../../tools/host/stage';
import { CrashRun } from './crashRun';

const usage = `Usage: npm run test:crash -- [options]

Runs the example "Resumable batch" in a real n8n, kills n8n (SIGKILL) at random moments, starts it again, and runs the
example again, until every row has an image. Then compares the payments that the gateway has counted with the rows.

  --queue        queue mode: Redis, a main process and 2 workers; kills the workers, the main process or all of them
  --kills N      number of kills, default 20
  --rows N       number of images, default 300
  --batch N      Batch Size in the example, default 1
  --seed N       repeats the random moments and targets of another run, default 1
  --help         show this help

Exit code 1 when a row is missing, or more was paid again than was under way at the kills.`;

runCommand(usage, async (commandLine) => {
	const number = (text: string) => {
		if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`"${text}" is not a whole number above 0.`);
		return Number(text);
	};
	const { values } = parseArgs({
		args: commandLine,
		options: {
			queue: { type: 'boolean', default: false },
			kills: { type: 'string', default: '20' },
			rows: { type: 'string', default: '300' },
			batch: { type: 'string', default: '1' },
			seed: { type: 'string', default: '1' },
		},
	});
	// With an exit of its own, this process ends all that it has started.
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
	const stage = await openStage(values.queue ? { workers: 2 } : {});
	try {
		const run = new CrashRun(stage, {
			kills: number(values.kills),
			rows: number(values.rows),
			batchSize: number(values.batch),
			seed: number(values.seed),
		});
		if (!(await run.execute())) process.exitCode = 1;
	} finally {
		// The stage knows only the processes that it has started itself.
		await stopAllProcesses();
		await stage.close();
	}
});
