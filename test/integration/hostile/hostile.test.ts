import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { AUDIO_BYTES } from './answers';
import type { Outcome } from './run';

/** The worst answers for each way of reading. */
const CASES = [
	'account getManyModels/30 MB of quotes',
	'chat chatCompletion streamed/250 MB of data lines',
	'chat chatCompletion streamed/one event of 15 MB',
	'embed embedText/15 MB of numbers',
	'speech create/3 GB of sound in 3 MB',
];

/**
 * How many times as long as reading and writing 2 MB of JSON the event loop may be kept. A guard, far away from the 50
 * milliseconds that are the aim: the collection of garbage counts as well.
 */
const LONGEST_TURN = 15;
const MOST_STORED_MB = AUDIO_BYTES / 1e6;
/** A row without an item, and a failure that blames the input. */
const WRONG = ['nothing', 'input'];

/** Runs the rows of each case, in a process with a heap of 1.2 GB. @returns what is not as it must be, in words */
async function brokenIn(cases: readonly string[]): Promise<string[]> {
	const script = path.join(__dirname, 'run.ts');
	const child = spawn(process.execPath, ['--max-old-space-size=1200', '--import', 'tsx', script, ...cases]);
	const [lines, errors, [code]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'exit') as Promise<[number]>,
	]);
	if (code !== 0) return [`The process ended with code ${code}: ${errors}`];
	const outcomes = lines
		.trim()
		.split('\n')
		.filter((line) => line.startsWith('{"operation"'))
		.map((line) => JSON.parse(line) as Outcome);
	if (outcomes.length < cases.length) return [`${cases.length} cases, but ${outcomes.length} outcomes`];
	return outcomes.flatMap((outcome) => {
		const { operation, answer } = outcome;
		return faultsOf(outcome).map((what) => `${operation}, ${answer}: ${what}`);
	});
}

function faultsOf({ rows, words, longestTurnMs, referenceMs, ticks, storedMB }: Outcome): string[] {
	return [
		rows.some((row) => WRONG.includes(row)) ? `rows are ${rows.join()}` : '',
		(words ?? rows.every((row) => row === 'works')) ? '' : 'nothing was said',
		longestTurnMs > LONGEST_TURN * referenceMs
			? `the event loop was kept for ${longestTurnMs} ms of processor time, and the reference takes ${referenceMs} ms`
			: '',
		ticks === 0 ? 'nothing else ran meanwhile' : '',
		storedMB > MOST_STORED_MB ? `${storedMB} MB in the binary store` : '',
	].filter((what) => what !== '');
}

describe('Rows with the worst answers, in a process with a heap of 1.2 GB,', () => {
	it('each fail with words, leave the event loop to others, and store no more than the limit', async () => {
		expect(await brokenIn(CASES)).toEqual([]);
	}, 600_000);
});
