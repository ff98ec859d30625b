import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { IDataObject } from 'n8n-workflow';
import { runWorkflow } from '../engine/runWorkflow';
import { type OperationCase, operationCases, titleOf, workflowOf } from '../faults/operations';
import { STREAM_BYTES } from '../../../nodes/shared/plain/budgets';
import { ANSWERS, AUDIO_BYTES } from './answers';

/**
 * Runs operations against hostile answers, two rows at a time or one of a file, and writes one line of JSON for each. It
 * is a process of its own, with a heap of 1.2 GB: an answer that is too much for it ends only this process.
 *
 * Arguments: pairs of an operation and an answer, such as `"account getManyModels/30 MB of quotes"`. A part of the answer's
 * name is enough.
 */

/** The results of the rows with one hostile answer. */
export interface Outcome {
	operation: string;
	answer: string;
	/** For each row, `works` or the kind of the failure. */
	rows: string[];
	/** The message of the first failure. */
	words?: string;
	/** The longest time for which the event loop was blocked, in milliseconds of processor time. */
	longestTurnMs: number;
	/** How long the same machine takes for {@link reference}, before or after that. */
	referenceMs: number;
	ticks: number;
	/** The size of the files written to the binary store, in MB. */
	storedMB: number;
}

const ROWS = 2;
/** Answers that are stored while they arrive. They need as much memory with one row as with two. */
const STORED = /sound/;
/** In seconds. Comments in a stream do not extend it. */
const TIMEOUT = 20;

function storedBytes(folder: string): number {
	return readdirSync(folder, { withFileTypes: true, recursive: true })
		.filter((entry) => entry.isFile())
		.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Measures how long a single piece of work blocks the event loop, until the returned function is called. */
function watchTurns() {
	let last = processorMs();
	const turns = { longestMs: 0, ticks: 0 };
	const timer = setInterval(() => {
		const now = processorMs();
		turns.longestMs = Math.max(turns.longestMs, now - last);
		turns.ticks += 1;
		last = now;
	}, 1);
	return () => {
		clearInterval(timer);
		return turns;
	};
}

/** Time that the main thread has spent on a processor; the time of day where the system does not tell. */
function processorMs(): number {
	try {
		return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
	} catch {
		return performance.now();
	}
}

const SMALL_JSON = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => ({ id: `id ${index}` })));

/** Reads and writes 2 MB of JSON. @returns the processor time that this takes, because machines differ and have other work */
function reference(): number {
	const startedAt = processorMs();
	JSON.stringify(JSON.parse(SMALL_JSON));
	return processorMs() - startedAt;
}

async function runCase(operation: OperationCase, answer: string, url: string): Promise<Outcome> {
	const folder = process.env.N8N_USER_FOLDER ?? '';
	const storedBefore = storedBytes(folder);
	const options = { timeoutSeconds: TIMEOUT, maxRetries: 0 };
	const workflow = workflowOf(operation, { options }, { onError: 'continueRegularOutput' });
	const credential = { baseUrl: `${url}/${encodeURIComponent(answer)}`, apiKey: 'sk-hostile-0123456789' };
	const length = STORED.test(answer) ? 1 : ROWS;
	const input = Array.from({ length }, (_, row) => ({
		json: { row, taskId: `task-${row}`, text: `Hello ${row}` },
	}));
	const before = reference();
	const stopWatching = watchTurns();
	let turns: ReturnType<typeof stopWatching> | undefined;
	const { outputs } = await runWorkflow(workflow, {
		credential,
		input,
		onEnd: () => (turns = stopWatching()),
	});
	const items = outputs.flat();
	const rows = Array.from({ length }, (_, row) => {
		const of = items.find(({ pairedItem }) => (pairedItem as { item: number }).item === row);
		const details = of?.json.details as IDataObject | undefined;
		return of === undefined ? 'nothing' : details ? (details.kind as string) : 'works';
	});
	const failed = items.find(({ json }) => json.details);
	return {
		operation: titleOf(operation),
		answer,
		rows,
		words: failed?.json.error as string | undefined,
		longestTurnMs: Math.round(turns?.longestMs ?? 0),
		referenceMs: Math.round(Math.max(before, reference())),
		ticks: turns?.ticks ?? 0,
		storedMB: Math.round((storedBytes(folder) - storedBefore) / 1e6),
	};
}

async function main(): Promise<void> {
	STREAM_BYTES.audio = AUDIO_BYTES;
	const server = spawn(process.execPath, ['--import', 'tsx', join(__dirname, 'server.ts')], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [url] = (await once(createInterface(server.stdout), 'line')) as [string];
	for (const pair of process.argv.slice(2)) {
		const [title, part] = pair.split('/');
		const operation = operationCases.find((one) => titleOf(one) === title)!;
		const answer = Object.keys(ANSWERS).find((name) => name.includes(part))!;
		process.stdout.write(`${JSON.stringify(await runCase(operation, answer, url))}\n`);
	}
	server.kill();
	process.exit(0);
}

void main();
