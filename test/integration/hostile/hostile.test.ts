import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { STREAM_BYTES } from '../../../nodes/shared/http/budgets';
import type { Outcome } from './run';

/** The worst answers for each way of reading; `npm run hostile` runs every operation with every answer. */
const CASES = [
	'account getManyModels/64 MB of {}',
	'account getManyModels/30 MB of {}',
	'account getManyModels/30 MB of quotes',
	'account getManyModels/30 MB of open lists',
	'account getManyModels/200,000 names',
	'account getManyModels/the same list',
	'account getManyModels/3 GB of JSON in 3 MB',
	'account getManyModels/an error of 400 kB',
	'account getManyModels/large headers',
	'chat chatCompletion streamed/250 MB of data lines',
	'chat chatCompletion streamed/one line of 250 MB',
	'chat chatCompletion streamed/one event of 15 MB',
	'chat chatCompletion streamed/30,000 tool calls',
	'chat chatCompletion streamed/an error of 15 MB',
	'embed embedText/30 MB of numbers',
	'image generate/30 MB of quotes',
	'speech create/30 MB of one word',
];

/** A guard, far away from the 50 milliseconds that are the aim: the collection of garbage counts as well. */
const LONGEST_TURN_MS = 500;

async function runAll(): Promise<{ outcomes: Outcome[]; code: number; errors: string }> {
	const script = path.join(__dirname, 'run.ts');
	const child = spawn(process.execPath, ['--max-old-space-size=2048', '--import', 'tsx', script, ...CASES]);
	const [lines, errors, [code]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'exit') as Promise<[number]>,
	]);
	const outcomes = lines
		.trim()
		.split('\n')
		.filter((line) => line.startsWith('{"operation"'))
		.map((line) => JSON.parse(line) as Outcome);
	return { outcomes, code, errors };
}

describe('Five rows with the worst answers, in a process with a heap of 2 GB,', () => {
	let result: Awaited<ReturnType<typeof runAll>>;

	beforeAll(async () => (result = await runAll()), 600_000);

	it('do not end the process', () => {
		expect({ code: result.code, errors: result.code === 0 ? '' : result.errors }).toEqual({
			code: 0,
			errors: '',
		});
		expect(result.outcomes.length).toBeGreaterThanOrEqual(CASES.length);
	});

	it('each fail with words', () => {
		const silent = result.outcomes.filter(({ rows, words }) => rows.includes('nothing') || !words);
		expect(silent).toEqual([]);
		const unexpected = result.outcomes.filter(({ rows }) =>
			rows.some((row) => !['answer', 'request', 'gateway', 'interrupted'].includes(row)),
		);
		expect(unexpected).toEqual([]);
	});

	it('leave the event loop to others', () => {
		const long = result.outcomes.filter(({ longestTurnMs }) => longestTurnMs > LONGEST_TURN_MS);
		expect(long).toEqual([]);
		expect(result.outcomes.filter(({ ticks }) => ticks === 0)).toEqual([]);
	});

	it('write no more than the limit to the binary store', () => {
		const limitMB = (5 * STREAM_BYTES.audio) / 1e6;
		expect(result.outcomes.filter(({ storedMB }) => storedMB > limitMB)).toEqual([]);
	});
});
