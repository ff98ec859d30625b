import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Emulator, Rule } from '../emulator';
import type { Outcome, Task } from './child/messages';

/** The Node that n8n itself runs on. */
const node24 = path.resolve(__dirname, '../demo/node_modules/node/bin/node');
const tsx = createRequire(__filename).resolve('tsx');

/** One way to do a job. */
export interface Subject {
	name: string;
	/** The node; `requestsPerMinute` makes the credential one that nothing has been learnt about. */
	task(gateway: Gateway, count: number): Task;
}

export interface Gateway {
	url: string;
	apiKey: string;
	/** Differs from run to run. */
	requestsPerMinute: number;
}

/** What one subject needed for a job in one run. */
export interface Measurement extends Outcome {
	/** Requests that the gateway counted. */
	requests: number;
}

let runs = 0;

/**
 * Has each subject do a job in a process of its own, in turns, so that what the machine does meanwhile hits
 * all of them alike.
 *
 * @param count items of the job
 * @returns the measurements by subject, one for each round
 */
export async function measure(
	emulator: Emulator,
	job: { rules: Record<string, Rule>; count: number; rounds: number; warmUp?: number },
	subjects: Subject[],
): Promise<Map<string, Measurement[]>> {
	const results = new Map<string, Measurement[]>(subjects.map(({ name }) => [name, []]));
	for (let round = 0; round < job.rounds; round++) {
		for (const subject of subjects) {
			results.get(subject.name)!.push(await measureOnce(emulator, job, subject));
		}
	}
	return results;
}

async function measureOnce(
	emulator: Emulator,
	{ rules, count, warmUp = 20 }: { rules: Record<string, Rule>; count: number; warmUp?: number },
	subject: Subject,
): Promise<Measurement> {
	const child = fork(path.join(__dirname, 'child/main.ts'), {
		execPath: node24,
		execArgv: ['--import', tsx, '--expose-gc'],
	});
	try {
		await answerOf(child);
		const gateway = () => ({
			url: emulator.url,
			apiKey: emulator.apiKey,
			requestsPerMinute: 1e7 + runs++,
		});
		emulator.behaviour.reset();
		if (warmUp > 0) await perform(child, subject.task(gateway(), warmUp));
		for (const [pattern, rule] of Object.entries(rules)) emulator.behaviour.set(pattern, rule);
		emulator.journal.clear();
		const outcome = await perform(child, subject.task(gateway(), count));
		return { ...outcome, requests: emulator.journal.count() };
	} finally {
		child.kill('SIGKILL');
	}
}

async function perform(child: ChildProcess, task: Task): Promise<Outcome> {
	child.send(task);
	return (await answerOf(child)) as Outcome;
}

async function answerOf(child: ChildProcess): Promise<unknown> {
	const ended = once(child, 'exit').then(() => {
		throw new Error('The measured process ended before it was done.');
	});
	const [answer] = (await Promise.race([once(child, 'message'), ended])) as unknown[];
	return answer;
}

/** The middle one of some numbers. */
export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)];
}
