import type { IDataObject } from 'n8n-workflow';
import { PaidResults, type PaidResultsSettings } from '../../../nodes/shared/run/paidResults';
import { NO_SPENDING } from '../../../nodes/shared/send/ledger';
import { seededRandom } from '../seededRandom';

const open = (context: IDataObject, settings: Partial<PaidResultsSettings> = {}) =>
	new PaidResults(context, { runIndex: 0, keepsValues: true, ...settings });
/** A text whose length counts as `length`. */
const textOf = (length: number) => 'x'.repeat(length - 2);
const failed = {
	isPaid: false,
	executionId: '1',
	failure: { kind: 'gateway', message: 'gave up', description: 'Look it up.', facts: { status: 504 } },
} as const;

describe('What a run has paid for', () => {
	it('belongs to one run of the node, so that a loop never takes over results of another pass', () => {
		const context = {};
		open(context, { runIndex: 0 }).keep('0/a', 'first pass', [0]);
		const second = open(context, { runIndex: 1 });
		expect(second.record('0/a')).toEqual({});
		second.keep('0/a', 'second pass', [0]);
		expect(open(context, { runIndex: 1 }).record('0/a')).toEqual({ value: 'second pass' });
		expect(open(context, { runIndex: 0 }).record('0/a')).toEqual({});
	});

	it('contains unclear outcomes, but no results, when results are not reused', () => {
		const results = open({}, { keepsValues: false });
		results.keep('0/a', 'text', [0]);
		results.note('0/b', { failed });
		expect([results.record('0/a'), results.record('0/b')]).toEqual([{}, { failed }]);
		expect([...results.leftOut]).toEqual([]);
		const context = {};
		open(context).keep('0/a', 'text', [0]);
		open(context, { keepsValues: false });
		expect(open(context).record('0/a')).toEqual({});
	});

	it('includes what the execution has spent, which its next try adds to', () => {
		const context = {};
		const spending = open(context).spending('1');
		expect(spending).toMatchObject(NO_SPENDING);
		spending.requests += 2;
		expect(open(context).spending('1')).toMatchObject({ ...NO_SPENDING, requests: 2 });
		expect(open(context).spending('2')).toMatchObject(NO_SPENDING);
	});
});

describe('The limit of what is kept', () => {
	const fits = (value: unknown, maxLength: number) => {
		const results = open({}, { maxLength });
		results.keep('0/a', value, [0]);
		return results.leftOut.size === 0;
	};

	it.each<[string, unknown, number]>([
		['a text by its characters', 'abc', 5],
		['a number by 20 characters', 7, 20],
		['nothing by 20 characters, too', null, 20],
		['a vector by its numbers alone', [1, 2, 3], 60],
		['an object by its names and values', { ab: 'c' }, 20 + 2 + 4 + 3],
		['a list by its entries', ['a', 'b'], 20 + 2 * (1 + 4 + 3)],
		['what is inside of objects', { a: { b: [1] } }, 20 + 5 + 20 + 5 + 20],
	])('counts %s', (_what, value, length) => {
		expect([fits(value, length), fits(value, length - 1)]).toEqual([true, false]);
	});

	it('does not concern the key of a result that is left out, so that the gateway may return it again', () => {
		const results = open({}, { maxLength: 10 });
		results.keep('0/a', textOf(60), [0], 'key');
		results.keep('0/b', textOf(60), [0]);
		expect([results.record('0/a'), results.record('0/b')]).toEqual([{ idempotencyKey: 'key' }, {}]);
		expect('idempotencyKey' in results.record('0/b')).toBe(false);
	});

	it('leaves out results that do not fit, and names their items', () => {
		const results = open({}, { maxLength: 100 });
		results.keep('0/a', textOf(60), [0]);
		results.keep('1/b', textOf(60), [1, 2]);
		results.keep('3/c', textOf(40), [3]);
		results.keep('4/d', textOf(2), [4]);
		expect([...results.leftOut]).toEqual([1, 2, 4]);
		expect(results.record('1/b')).toEqual({});
		expect(results.record('3/c')).toEqual({ value: textOf(40) });
	});

	it('is exact after any sequence of changes', () => {
		const random = seededRandom(19);
		const pick = (count: number) => Math.floor(random() * count);
		for (let round = 0; round < 50; round++) {
			const context = {};
			const lengths = new Map<string, number>();
			let results = open(context, { maxLength: 1_000 });
			for (let step = 0; step < 200; step++) {
				const key = `0/${pick(12)}`;
				const action = pick(5);
				if (action === 0) results.forget(key);
				if (action === 1) results.note(key, { failed });
				if (action === 2) results = open(context, { maxLength: 1_000 });
				if (action < 2) lengths.delete(key);
				if (action < 3) continue;
				lengths.delete(key);
				const length = 2 + pick(400);
				const used = [...lengths.values()].reduce((sum, one) => sum + one, 0);
				results.keep(key, textOf(length), [0]);
				const fits = used + length <= 1_000;
				expect(results.record(key)).toEqual(fits ? { value: textOf(length) } : {});
				if (fits) lengths.set(key, length);
			}
		}
	});
});
