import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Emulator, Rule } from '../emulator';
import type { Outcome, Task } from './child/messages';

/** The Node that n8n itself runs on. */
const node24 = path.resolve(__dirname, '../demo/node_modules/node/bin/node');
const tsx = createRequire(__filename).resolve('tsx');

/** One way to do a job. */
export interface Subject {
	name: string;
	/**
	 * The node; `requestsPerMinute` makes the credential one that nothing has been learnt about.
	 *
	 * @param count size of the job: items, or megabytes where it is about one large file
	 */
	task(gateway: Gateway, count: number): Task;
}

/** What the subjects do. */
export interface Job {
	/** How the gateway treats requests, by route; they do not hold during the warm-up. */
	rules: Record<string, Rule>;
	count: number;
	rounds: number;
	/** Size of the same job that is done first, so that everything is loaded and compiled; default 20. */
	warmUp?: number;
	/** Rules of the warm-up. */
	warmUpRules?: Record<string, Rule>;
	/** Whether memory is what counts, at the expense of time; see {@link EXACT_MEMORY}. */
	isAboutMemory?: boolean;
}

export interface Gateway {
	url: string;
	apiKey: string;
	/** Differs from run to run. */
	requestsPerMinute: number;
}

/** What one subject needed for a job in one run. */
export interface Measurement extends Outcome {
	/** Items that went in. */
	items: number;
	/** Requests that the gateway counted. */
	requests: number;
}

/**
 * The C library of Linux then asks the system for each larger buffer and gives it back, so that buffers are
 * not hidden in memory that was left over from the start.
 */
const EXACT_MEMORY = { MALLOC_MMAP_THRESHOLD_: '32768' };

let runs = 0;

/**
 * Has each subject do a job in a process of its own, in turns, so that what the machine does meanwhile hits
 * all of them alike.
 *
 * @returns the measurements by subject, one for each round
 */
export async function measure(
	emulator: Emulator,
	job: Job,
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

/**
 * Like {@link measure}, for jobs that every subject has to do completely.
 *
 * @throws Error when one of them lost an item, or has fewer bytes in its files than it should
 */
export async function measureComplete(
	emulator: Emulator,
	job: Job,
	subjects: Subject[],
	leastFileBytes = 0,
): Promise<Map<string, Measurement[]>> {
	const results = await measure(emulator, job, subjects);
	for (const [name, runs] of results) {
		for (const { items, succeeded, fileBytes, stopped = '' } of runs) {
			if (succeeded < items || fileBytes < leastFileBytes)
				throw new Error(`${name}: ${succeeded} items, ${fileBytes} bytes. ${stopped}`);
		}
	}
	return results;
}

async function measureOnce(
	emulator: Emulator,
	{ rules, count, warmUp = 20, warmUpRules = {}, isAboutMemory = false }: Job,
	subject: Subject,
): Promise<Measurement> {
	const userFolder = await mkdtemp(path.join(tmpdir(), 'bench-'));
	const child = fork(path.join(__dirname, 'child/main.ts'), {
		execPath: node24,
		execArgv: ['--import', tsx, '--expose-gc'],
		env: {
			...process.env,
			...(isAboutMemory ? EXACT_MEMORY : {}),
			N8N_USER_FOLDER: userFolder,
			N8N_ENCRYPTION_KEY: 'bench',
			N8N_LOG_LEVEL: 'silent',
		},
	});
	const ended = once(child, 'exit');
	try {
		await answerOf(child);
		const gateway = () => ({
			url: emulator.url,
			apiKey: emulator.apiKey,
			requestsPerMinute: 1e7 + runs++,
		});
		emulator.behaviour.replace(warmUpRules);
		if (warmUp > 0) await perform(child, subject.task(gateway(), warmUp));
		emulator.behaviour.replace(rules);
		emulator.journal.clear();
		const task = subject.task(gateway(), count);
		const outcome = await perform(child, task);
		return { ...outcome, items: task.items.length, requests: emulator.journal.count() };
	} finally {
		child.kill('SIGKILL');
		await ended;
		await rm(userFolder, { recursive: true });
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
