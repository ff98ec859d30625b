import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import {
	itemList,
	retryHints,
	stopReport,
	withLeftOut,
	withReach,
} from '../../../nodes/shared/run/retryReport';

const failed = (facts: object) =>
	new GatewayFailure('cancelled', 'The execution was stopped', 'Again.', facts);

describe('Items in words', () => {
	it.each([
		[[3], 'item 3'],
		[[0, 1], 'items 0–1'],
		[[0, 2], 'items 0 and 2'],
		[[7, 0, 5, 1, 3, 2, 4], 'items 0–5 and 7'],
		[[10, 9, 2, 1, 5], 'items 1–2, 5 and 9–10'],
	])('%j are %s', (items, words) => {
		expect(itemList(items)).toBe(words);
		expect(itemList(new Set(items))).toBe(words);
	});
});

describe('The hints after a retry', () => {
	const nothing = { reusedItems: new Set<number>(), lostItems: new Set<number>(), leftOut: [] };

	it('are missing when nothing was taken over', () => {
		expect(retryHints(nothing)).toEqual([]);
	});

	it('name the items that were taken over, and those that were paid for again', () => {
		const sets = { reusedItems: new Set([2, 0, 1]), lostItems: new Set([4]) };
		const [reused, lost] = retryHints({ ...nothing, ...sets });
		expect(reused).toContain('paid results of an earlier try (items 0–2)');
		expect(reused).toContain('turn off Reuse Results on Retry');
		expect(lost).toContain('paid for again (item 4)');
	});

	it('name the items that the next retry pays for again', () => {
		expect(retryHints({ ...nothing, leftOut: [4, 5] })).toEqual([
			expect.stringMatching(/pays again for items 4–5, .*50 MB/),
		]);
	});
});

describe('A failure whose results do not all fit', () => {
	it('names the items that a retry pays for again, and keeps everything else', () => {
		const failure = new GatewayFailure('request', 'No', 'Check it.', { status: 400 });
		const more = withLeftOut(failure, [4, 5, 6]);
		expect(more).toMatchObject({ kind: 'request', message: 'No', facts: { status: 400 } });
		expect(more.description).toMatch(/^Check it\. A retry pays again for items 4–6, .*50 MB/);
	});
});

describe('A failure at a limit of the user', () => {
	it('says how far the run came', () => {
		const failure = new GatewayFailure('spendingLimit', 'Max Requests (9) is reached', 'Increase it.');
		const results = [
			{ from: 0, result: { json: {} } },
			// An item may have results and a failure.
			{ from: 1, result: { json: {} } },
			{ from: [1, 2], failure, files: {} },
			{ from: 3, failure: new GatewayFailure('request', 'No', 'Check it.') },
		];
		const [first, second, atLimit, other] = withReach(results, 2000, 9);
		expect(atLimit).toMatchObject({
			...{ from: [1, 2], files: {} },
			failure: {
				kind: 'spendingLimit',
				message: 'Max Requests (9) is reached: 1 of 2,000 items done with 9 requests',
				description: 'Increase it.',
			},
		});
		expect([first, second, other]).toEqual([results[0], results[1], results[3]]);
	});
});

describe('The report of a stopped execution', () => {
	const result = (json: object, files = {}) => ({ json: { ...json }, files });

	it('is missing when nothing was paid for', () => {
		const results = [
			{ from: 0, failure: failed({ attempts: 0 }) },
			{ from: 1, result: result({}) },
		];
		expect(stopReport(results, new Set())).toBeUndefined();
	});

	it('names what is finished and what may be paid for', () => {
		const report = stopReport(
			[
				{ from: 0, result: result({ text: 'A secret answer', url: 'https://files.example/a' }) },
				{ from: [1, 2], result: result({ taskId: 'task-1' }) },
				{ from: 3, failure: failed({ mayHaveBeenCarriedOut: true }) },
				{ from: 4, failure: failed({ attempts: 0 }) },
			],
			new Set([0, 1, 2]),
		);
		expect(report?.message).toContain('Finished and paid for: items 0–2.');
		expect(report?.message).toContain('In progress, and possibly paid for: item 3.');
		expect(report?.message).toContain('References: item 0: https://files.example/a; items 1–2: task-1.');
		expect(report?.data).toEqual({
			finished: [
				{ item: 0, url: 'https://files.example/a' },
				{ item: [1, 2], taskId: 'task-1' },
			],
		});
	});

	it('refers to files without their contents and names, which may begin like a prompt', () => {
		const file = { id: 'filesystem:1', data: 'QUJD', mimeType: 'audio/mpeg', fileName: 'A secret.mp3' };
		const report = stopReport([{ from: 0, result: result({}, { data: file }) }], new Set([0]));
		expect(JSON.stringify(report)).toContain('filesystem:1');
		expect(JSON.stringify(report)).not.toMatch(/QUJD|secret/);
	});

	it('does not call results finished that were taken over or free', () => {
		const results = [
			{ from: 0, result: result({ url: 'https://files.example/a' }) },
			{ from: 1, result: result({}) },
		];
		expect(stopReport(results, new Set([1]))?.data).toEqual({ finished: [{ item: 1 }] });
	});

	it('does not call a song finished that continues at the gateway', () => {
		const pending = { from: 0, result: result({ taskId: 'task-1', status: 'PENDING', cancelled: true }) };
		const report = stopReport([pending], new Set([0]));
		expect(report?.message).toContain('Paid for, but not finished: item 0. References: item 0: task-1.');
		expect(report?.message).not.toContain('Finished');
	});

	it('refers to a result by its task, its link, or its file, whichever there is', () => {
		const file = { id: 'filesystem:1', data: '', mimeType: 'audio/mpeg', fileSize: '3 B' };
		const references = (json: object, files = {}) => {
			const report = stopReport([{ from: 0, result: result(json, files) }], new Set([0]));
			return [report?.message.split('References: ')[1], report?.data.finished];
		};
		const [url, audioUrl] = ['https://files.example/a', 'https://files.example/b'];
		expect(references({ taskId: 'task-1', url, audioUrl, imageUrl: 'c', name: 'calm' })).toEqual([
			'item 0: task-1.',
			[{ item: 0, taskId: 'task-1', url, audioUrl, imageUrl: 'c', name: 'calm' }],
		]);
		expect(references({ url, audioUrl })[0]).toBe(`item 0: ${url}.`);
		expect(references({ audioUrl, text: 'A secret' })).toEqual([
			`item 0: ${audioUrl}.`,
			[{ item: 0, audioUrl }],
		]);
		expect(references({ taskId: '', url: 7 }, { data: file })).toEqual([
			'item 0: filesystem:1.',
			[{ item: 0, files: [{ id: 'filesystem:1', mimeType: 'audio/mpeg', fileSize: '3 B' }] }],
		]);
		expect(references({ name: 'calm' })).toEqual([undefined, [{ item: 0, name: 'calm' }]]);
	});

	it('has the task, the parts, and the files of an item that is not finished', () => {
		const file = { id: 'filesystem:1', data: '', mimeType: 'audio/mpeg' };
		const failure = failed({ taskId: 'task-1', partial: { url: 'https://files.example/a' } });
		const report = stopReport([{ from: [0, 1], failure, files: { part: file } }], new Set([1]));
		expect(report?.message).toContain('Paid for, but not finished: item 1. References: items 0–1: task-1.');
		expect(report?.data).toEqual({
			finished: [],
			unfinished: [
				{
					item: [0, 1],
					taskId: 'task-1',
					url: 'https://files.example/a',
					files: [expect.objectContaining({ id: 'filesystem:1' })],
				},
			],
		});
	});

	it('names 50 references at most, and counts the others', () => {
		const message = (count: number) => {
			const entries = Array.from({ length: count }, (_, from) => ({
				from,
				result: result({ taskId: `task-${from}` }),
			}));
			return stopReport(entries, new Set(entries.map(({ from }) => from)))?.message ?? '';
		};
		expect(message(2)).toMatch(/References: item 0: task-0; item 1: task-1\.$/);
		expect(message(50)).toMatch(/; item 49: task-49\.$/);
		expect(message(52)).toMatch(/; item 49: task-49; and 2 more in the data of this line\.$/);
	});

	it('lists 1,000 results at most', () => {
		const results = Array.from({ length: 1_200 }, (_, from) => ({ from, result: result({}) }));
		const report = stopReport(results, new Set(results.map(({ from }) => from)));
		expect(report?.data.finished).toHaveLength(1_000);
		expect(report?.message).toContain('items 0–1199');
		const unfinished = results.map(({ from }) => ({ from, failure: failed({}) }));
		const other = stopReport(unfinished, new Set(results.map(({ from }) => from)));
		expect(other?.data.unfinished).toHaveLength(1_000);
	});
});
