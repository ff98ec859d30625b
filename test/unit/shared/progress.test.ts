import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import { Ledger } from '../../../nodes/shared/send/ledger';
import type { LinkedResult } from '../../../nodes/shared/run/operation';
import { durationInWords, Progress } from '../../../nodes/shared/run/progress';
import { summaryOf } from '../../../nodes/shared/run/runReport';
import { FakeClock } from '../fakeClock';

const failure = (from: number | number[], message = 'Prompt is empty'): LinkedResult => ({
	from,
	failure: new GatewayFailure('input', message, 'Enter it.'),
});
const success = (from: number | number[]): LinkedResult => ({ from, result: { json: {} } });

describe('Progress line', () => {
	it('says how many items are done, failed, and paid for, and how long the rest will take', async () => {
		const clock = new FakeClock();
		const progress = new Progress(200, clock);
		const accounts = { ledger: new Ledger(clock), paidItems: new Set([0, 1, 2]) };
		await clock.run(clock.sleep(30_000));
		progress.ended([0, 1]);
		progress.ended(2, [success(2)]);
		progress.ended(3, [success(3), failure(3)]);
		progress.ended(4);
		expect(progress.line(accounts, 'UTC')).toBe(
			'4 of 200 items done, 1 failed, 3 paid for; about 19 min 30 s left',
		);
	});

	it('says until when a run waits for a rate limit', async () => {
		const clock = new FakeClock();
		const ledger = new Ledger(clock);
		const waiting = ledger.waitForLimit(async () => await clock.sleep(600_000), 600_000);
		const line = new Progress(2, clock).line({ ledger, paidItems: new Set() }, 'UTC');
		expect(line).toBe('0 of 2 items done; waiting for a limit of the gateway until 22:24');
		await clock.run(waiting);
	});

	it('says something before the first request', () => {
		expect(new Progress(1, new FakeClock()).line(undefined, 'UTC')).toBe('0 of 1 item done');
	});
});

describe('Summary of a run', () => {
	const ledgerOf = (requests: number, retries = 0) => {
		const ledger = new Ledger(new FakeClock());
		for (let index = 0; index < requests; index++) ledger.sent(index < retries ? 2 : 1);
		return ledger;
	};
	const summary = (results: LinkedResult[], ledger: Ledger, total: number, tookMs = 192_000) =>
		summaryOf(results, { total, tookMs, ledger });

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

	it('counts an item once, whatever became of its parts', () => {
		const results = [failure(0), failure(0), success(1), failure([2, 3])];
		expect(summary(results, ledgerOf(4), 4)).toMatch(/^4 items in 3 min 12 s: 1 done, 3 failed\. /);
	});

	it('counts failures together that differ only in numbers and quoted texts', () => {
		const results = ['Row 1 is "a"', 'Row 23 is "b"', 'Row 3 is bad'].map((message, from) =>
			failure(from, message),
		);
		expect(summary(results, ledgerOf(3), 3)).toContain('2 × Row 1 is "a"; 1 × Row 3 is bad.');
	});

	it('cuts a cause after a word', () => {
		const words = summary([failure(0, 'word '.repeat(60))], ledgerOf(1), 1)!;
		expect(words).toMatch(/word word …\. 1 request/);
	});

	it('names three causes, and shortens them', () => {
		const results = ['a', 'b', 'c', 'd', `e${'x'.repeat(200)}`].map((message, from) =>
			failure(from, message),
		);
		const words = summary([...results, failure(5, results[4] && `e${'x'.repeat(200)}`)], ledgerOf(1), 6)!;
		expect(words).toContain('; 1 × a; 1 × b; 2 others');
		expect(words.length).toBeLessThan(300);
	});

	it('is left out for a single item that simply succeeded, and one that was not sent', () => {
		expect(summary([success(0)], ledgerOf(1), 1)).toBeUndefined();
		expect(summary([failure(0)], ledgerOf(0), 1)).toBeUndefined();
		expect(summary([failure(0), failure(1)], ledgerOf(0), 2)).toBe(
			'2 items in 3 min 12 s: 0 done, 2 failed. Failures: 2 × Prompt is empty. Nothing was sent.',
		);
		expect(summary([success(0)], ledgerOf(2, 1), 1)).toBe(
			'1 item in 3 min 12 s: 1 done. 2 requests, of which 1 repeated an earlier one.',
		);
	});
});

describe('A duration in words', () => {
	it.each([
		[0, '1 s'],
		[8400, '8 s'],
		[59_600, '1 min'],
		[192_000, '3 min 12 s'],
		[7_500_000, '2 h 5 min'],
	])('%i ms', (milliseconds, words) => {
		expect(durationInWords(milliseconds)).toBe(words);
	});
});
