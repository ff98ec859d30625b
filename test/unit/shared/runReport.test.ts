import type { IBinaryData } from 'n8n-workflow';
import { answerFailure, cancelledFailure } from '../../../nodes/shared/failure/words';
import { GatewayFailure } from '../../../nodes/shared/failure/failure';
import { durationInWords, rowList } from '../../../nodes/shared/plain/inWords';
import type { LinkedResult } from '../../../nodes/shared/run/operation';
import { Progress } from '../../../nodes/shared/run/progress';
import { retryHints, stopReport, summaryOf } from '../../../nodes/shared/run/runReport';
import { Ledger } from '../../../nodes/shared/send/ledger';
import { FakeClock } from '../fakeClock';
import { toOutputItem } from '../../../nodes/shared/run/deliver';

const failure = (from: number | number[], message = 'Prompt is empty'): LinkedResult => ({
	from,
	failure: new GatewayFailure('input', message, 'Enter it.'),
});
const success = (from: number | number[]): LinkedResult => ({ from, json: {} });

describe('Progress line', () => {
	/** A run with this many items. */
	function runOf(total: number) {
		const clock = new FakeClock();
		return { clock, ledger: new Ledger(clock), progress: new Progress(total, clock) };
	}

	it('says how many items are done, failed, and paid for, and how long the rest will take', async () => {
		const { clock, ledger, progress } = runOf(200);
		await clock.run(clock.sleep(30_000));
		progress.ended([0, 1]);
		progress.ended(2, [success(2)]);
		progress.ended(3, [success(3), failure(3)]);
		progress.ended(4);
		expect(progress.line(3, ledger.waitsUntil, 'UTC')).toBe(
			'4 of 200 items done, 1 failed, 3 paid for; about 19 min 30 s left',
		);
	});

	it('says until when a run waits for a rate limit', async () => {
		const { clock, ledger, progress } = runOf(4);
		progress.ended(0);
		clock.pass(30_000);
		const waiting = ledger.waitForLimit(async () => await clock.sleep(600_000), 600_000);
		const line = '1 of 4 items done; waiting for a limit of the gateway until 22:24';
		expect(progress.line(0, ledger.waitsUntil, 'UTC')).toBe(line);
		await clock.run(waiting);
		const after = '1 of 4 items done; about 31 min 30 s left';
		expect(progress.line(0, ledger.waitsUntil, 'UTC')).toBe(after);
	});
});

describe('Summary of a run', () => {
	const ledgerOf = (requests: number, { retries = 0, free = 0 } = {}) => {
		const ledger = new Ledger(new FakeClock());
		for (let index = 0; index < requests; index++)
			ledger.sent(index < retries ? 2 : 1, { free: index < free });
		return ledger;
	};
	const summary = (results: LinkedResult[], ledger: Ledger, total: number, tookMs = 192_000) =>
		summaryOf(results, { total, tookMs }, ledger);

	it('names items, failures by cause, requests, tokens, and waits', async () => {
		const clock = new FakeClock();
		const ledger = new Ledger(clock);
		for (let index = 0; index < 1205; index++) ledger.sent(index < 1200 ? 1 : 2);
		ledger.used({ inputTokens: 12_345, outputTokens: 678 });
		await clock.run(ledger.waitForLimit(async () => await clock.sleep(42_000)));
		const busy = Array.from({ length: 2 }, (_, index) => failure(index, 'The gateway is busy'));
		const results = [failure(7), ...busy, ...Array.from({ length: 1197 }, (_, index) => success(index + 10))];
		expect(summary(results, ledger, 1200)).toBe(
			'1,200 items in 3 min 12 s: 1,197 done, 3 failed. Failures: 2 × The gateway is busy; 1 × Prompt is empty. 1,205 requests, of which 5 repeated an earlier one. Tokens: 12,345 input, 678 output. Waited 42 s for limits of the gateway.',
		);
	});

	const both = [success(0), success(1)];
	const songs = [success(0), success(0), success(1), success(1), failure(2)];
	const stopped = ['a', 'b'].map((taskId, from) => ({ from, json: { taskId, cancelled: true } }));
	const alike = ['Row 1 is "a"', "Row 23 is 'b'", 'Row 3 is bad'].map((words, from) => failure(from, words));
	const parts = [failure(0), failure(0), success(1), failure([2, 3])];
	const unclear = { from: 0, failure: answerFailure('it is empty') };

	it.each<[string, LinkedResult[], Ledger, number, string]>([
		['how many requests were free', both, ledgerOf(3, { free: 2 }), 2, ' 3 requests, of which 2 were free.'],
		['that one request was free', both, ledgerOf(2, { free: 1 }), 2, ' 2 requests, of which 1 was free.'],
		['that all requests were free', both, ledgerOf(2, { free: 2 }), 2, ' 2 free requests.'],
		['how many results items with several have', songs, ledgerOf(3), 3, ': 2 done, 1 failed, 4 results. '],
		['what continues after a stop', stopped, ledgerOf(2), 2, ': 0 done, 2 not finished. 2 requests.'],
		['no double full stop', [failure(0, 'Busy.'), failure(1, '忙。')], ledgerOf(2), 2, '× Busy; 1 × 忙. 2'],
		['no full stop after another mark', [failure(0, 'Too many!')], ledgerOf(1), 1, '× Too many! 1 request.'],
		[
			'that a failure is of an earlier try',
			[unclear, failure(1)],
			ledgerOf(0),
			2,
			' Nothing was sent in this try.',
		],
		[
			'the same of other numbers and quotes once',
			alike,
			ledgerOf(3),
			3,
			'2 × Row 1 is "a"; 1 × Row 3 is bad.',
		],
		['an item once, whatever became of its parts', parts, ledgerOf(4), 4, ': 1 done, 3 failed. '],
	])('says %s', (_what, results, ledger, total, words) => {
		expect(summary(results, ledger, total)).toContain(words);
	});

	it('names three causes, shortens them, and counts all failures with others', () => {
		const long = `e${'x'.repeat(200)}`;
		const messages = ['a', 'b', 'c', 'd', long, 'a', 'b', 'c', long, long];
		const results = messages.map((message, from) => failure(from, message));
		const words = summary(results, ledgerOf(1), messages.length)!;
		expect(words).toContain('; 2 × a; 2 × b; 3 others');
		expect(words.length).toBeLessThan(300);
	});

	it('is left out for a single item that simply succeeded, and one that was not sent', () => {
		expect(summary([success(0)], ledgerOf(1), 1)).toBeUndefined();
		expect(summary([failure(0)], ledgerOf(0), 1)).toBeUndefined();
		expect(summary([failure(0), failure(1)], ledgerOf(0), 2)).toBe(
			'2 items in 3 min 12 s: 0 done, 2 failed. Failures: 2 × Prompt is empty. Nothing was sent.',
		);
		expect(summary([success(0)], ledgerOf(2, { retries: 1 }), 1)).toBe(
			'1 item in 3 min 12 s: 1 done. 2 requests, of which 1 repeated an earlier one.',
		);
	});
});

describe('Numbers in words', () => {
	it.each([
		[0, '1 s'],
		[8400, '8 s'],
		[59_600, '1 min'],
		[192_000, '3 min 12 s'],
		[7_500_000, '2 h 5 min'],
	])('%i ms are %s', (milliseconds, words) => {
		expect(durationInWords(milliseconds)).toBe(words);
	});

	it.each([
		[[3], 'row 4'],
		[[0, 1], 'rows 1–2'],
		[[0, 2], 'rows 1 and 3'],
		[[7, 0, 5, 1, 3, 2, 4], 'rows 1–6 and 8'],
		[[10, 9, 2, 1, 5], 'rows 2–3, 6 and 10–11'],
	])('%j are %s', (items, words) => {
		expect(rowList(new Set(items))).toBe(words);
	});
});

describe('The hints after a retry', () => {
	it('name the items that were taken over, were paid for again, and will be', () => {
		const sets = { reusedItems: new Set([2, 0, 1]), lostItems: new Set([4]), leftOut: new Set([4, 5]) };
		expect(retryHints(sets, true)).toEqual([
			expect.stringMatching(/paid results of an earlier try \(rows 1–3\)\. .*add Start Over on Retry/),
			expect.stringContaining('paid for again (row 5)'),
			expect.stringMatching(/pays again for rows 5–6, .*50 MB/),
		]);
		// After a success, nothing will be.
		expect(retryHints(sets, false)).toHaveLength(2);
		expect(retryHints({ reusedItems: new Set(), lostItems: new Set(), leftOut: new Set() }, true)).toEqual(
			[],
		);
	});
});

describe('The report of a stopped execution', () => {
	const cancelled = (from: number | number[], facts: object, files = {}): LinkedResult => ({
		from,
		failure: cancelledFailure(facts),
		files,
	});
	const result = (from: number | number[], json: object, files = {}): LinkedResult => ({
		from,
		json: { ...json },
		files,
	});
	const report = (results: LinkedResult[], ...paid: number[]) => stopReport(results, new Set(paid));
	const file = (id: string) => ({ id, data: 'QUJD', mimeType: 'audio/mpeg', fileName: 'A secret.mp3' });

	it('is missing when nothing was paid for', () => {
		expect(report([cancelled(0, { attempts: 0 }), result(1, {})])).toBeUndefined();
	});

	it('names what is finished and what may be paid for', () => {
		const results = [
			result(0, { text: 'A secret answer', url: 'https://files.example/a' }),
			result([1, 2], { taskId: 'task-1' }),
			{ from: 3, failure: cancelledFailure().judged({ charge: 'possible' }) },
			cancelled(4, { attempts: 0 }),
			// Taken over, or free.
			result(5, { url: 'https://files.example/b' }),
		];
		expect(report(results, 0, 1, 2)).toBe(
			'The execution was stopped. Finished and paid for: rows 1–3. In progress, and possibly paid for: row 4. References: row 1: https://files.example/a; rows 2–3: task-1.',
		);
	});

	it('does not call a song finished that continues at the gateway', () => {
		const pending = result(0, { taskId: 'task-1', status: 'PENDING', cancelled: true });
		expect(report([pending], 0)).toBe(
			'The execution was stopped. Paid for, but not finished: row 1. References: row 1: task-1.',
		);
		// An earlier try has paid for it.
		expect(report([pending, result(1, { taskId: 'task-2' })], 1)).toMatch(/row 1: task-1; row 2: task-2\.$/);
	});

	it('has the task, the link, or the files of an item that is not finished', () => {
		const partial = { url: 'https://files.example/a' };
		expect(report([cancelled([0, 1], { taskId: 'task-1', partial }, { part: file('1') })], 1)).toBe(
			'The execution was stopped. Paid for, but not finished: row 2. References: rows 1–2: task-1.',
		);
	});

	it.each<[string | undefined, object, object?]>([
		['task-1', { taskId: 'task-1', url: 'a', audioUrl: 'b', name: 'calm' }],
		['a', { url: 'a', audioUrl: 'b' }],
		['b', { audioUrl: 'b', name: 'calm', text: 'A secret' }],
		['calm', { name: 'calm' }],
		// Without contents and names, which may begin like a prompt.
		[
			'filesystem:1, filesystem:2',
			{ taskId: '', url: 7 },
			{ a: file('filesystem:1'), b: file('filesystem:2') },
		],
		[undefined, { text: 'A secret' }],
	])('refers to a result by %s', (reference, json, files = {}) => {
		expect(report([result(0, json, files)], 0)?.split('References: ')[1]).toBe(
			reference && `row 1: ${reference}.`,
		);
	});

	it('names 1,000 references at most, and counts the others', () => {
		const many = (count: number) =>
			Array.from({ length: count }, (_, from) => result(from, { taskId: `task-${from}` }));
		const words = (count: number) => report(many(count), ...many(count).keys());
		expect(words(1_000)).toMatch(/; row 1000: task-999\.$/);
		expect(words(1_002)).toMatch(/rows 1–1002\. .*; row 1000: task-999; and 2 more\.$/);
	});
});

const file: IBinaryData = {
	id: 'filesystem:1',
	fileName: 'a.mp3',
	mimeType: 'audio/mpeg',
	fileSize: '3 B',
	data: 'QUJD',
	fileExtension: 'mp3',
};
const failed = (facts: object = {}) => new GatewayFailure('request', 'Rejected', 'Check it.', facts);

describe('An output item', () => {
	it('of a failure has its error, its details, and the files that were finished', () => {
		const item = toOutputItem({ from: 1, failure: failed({ status: 400 }), files: { part: file } });
		expect(item).toEqual({
			json: {
				error: 'Rejected',
				details: { kind: 'request', description: 'Check it. The request was not carried out.', status: 400 },
			},
			binary: { part: file },
			pairedItem: { item: 1 },
		});
		expect(toOutputItem({ from: 1, failure: failed() })).not.toHaveProperty('binary');
	});
});
