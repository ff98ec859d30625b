import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Emulator, Rule } from '../emulator';
import type { Outcome, Task } from './child/messages';
import { n8nNode } from './paths';
import { type NodeOf, taskOf } from './task';

const tsx = createRequire(__filename).resolve('tsx');

/** One way to do a job, for example with a certain node. */
export interface Subject {
	name: string;
	node: (gateway: Gateway) => NodeOf;
	/** Fields that are added to the bodies of requests to n8n's OpenAI node, which has no parameters for them. */
	extraBody?: IDataObject;
}

/** The job that all subjects do. */
export interface Job {
	/** The emulator's rules by route; they do not apply during the warm-up. */
	rules: Record<string, Rule>;
	count: number;
	rounds: number;
	/** Size of the same job as a warm-up, which loads and compiles everything; default: 20. */
	warmUp?: number;
	/** The emulator's rules during the warm-up. */
	warmUpRules?: Record<string, Rule>;
	/** Measures memory exactly, at the expense of time; see {@link EXACT_MEMORY}. */
	isAboutMemory?: boolean;
}

export interface Gateway {
	url: string;
	apiKey: string;
	/** Different for each run, so that the nodes have not yet learned a rate for the credential. */
	requestsPerMinute: number;
}

/** The result of one subject in one run. */
export interface Measurement extends Outcome {
	/** Number of input items. */
	items: number;
	/** Number of requests to the gateway. */
	requests: number;
	/** The number of requests that the gateway refused with status 429. */
	refused: number;
	/** The average time until an answer is complete, in milliseconds. */
	latencyMs: number;
}

/**
 * Makes the C library of Linux request larger buffers directly from the system and return them. Otherwise, memory that
 * was allocated at the start would hide them.
 */
const EXACT_MEMORY = { MALLOC_MMAP_THRESHOLD_: '32768' };

let runs = 0;

/**
 * Runs a job with each subject in a separate process. The subjects take turns, so that other load on the machine affects
 * all of them equally.
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
 * Measures a job that every subject must complete; see {@link measure}.
 *
 * @throws Error when a subject loses an item, or its files are smaller than `minFileBytes` in total
 */
export async function measureComplete(
	emulator: Emulator,
	job: Job,
	subjects: Subject[],
	minFileBytes = 0,
): Promise<Map<string, Measurement[]>> {
	const results = await measure(emulator, job, subjects);
	for (const [name, runs] of results) {
		for (const { items, succeeded, fileBytes, stopped = '' } of runs) {
			if (succeeded < items || fileBytes < minFileBytes)
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
		execPath: n8nNode,
		execArgv: ['--import', tsx, '--expose-gc'],
		env: {
			...process.env,
			...(isAboutMemory ? { ...EXACT_MEMORY, WATCHES_MEMORY: 'true' } : {}),
			N8N_USER_FOLDER: userFolder,
			N8N_ENCRYPTION_KEY: 'bench',
			// If n8n's logger is silent, it prepares even the lines for debugging.
			N8N_LOG_LEVEL: 'error',
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
		await perform(child, taskOf(subject, gateway(), warmUp));
		emulator.behaviour.replace(rules);
		emulator.journal.clear();
		const task = taskOf(subject, gateway(), count);
		const outcome = await perform(child, task);
		const answered = emulator.journal.entries(
			({ status, finishedAt }) => status === 200 && finishedAt !== null,
		);
		const latencies = answered.map(({ receivedAt, finishedAt }) => finishedAt! - receivedAt);
		return {
			...outcome,
			items: task.items.length,
			requests: emulator.journal.count(),
			refused: emulator.journal.count(({ status }) => status === 429),
			latencyMs: latencies.reduce((sum, latency) => sum + latency, 0) / latencies.length,
		};
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
		throw new Error('The measured process exited before it was done.');
	});
	const [answer] = (await Promise.race([once(child, 'message'), ended])) as unknown[];
	return answer;
}

/** Returns the median; of an even count, the upper one. */
export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)];
}
