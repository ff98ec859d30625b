import type { IDataObject } from 'n8n-workflow';
import { PaidResults, type PaidResultsSettings } from '../../../nodes/shared/run/paidResults';
import { ParameterReader } from '../../../nodes/shared/run/parameterReader';
import { openPaidResults } from '../../../nodes/shared/run/runResources';
import { FakeContext } from './fakeContext';

const open = (context: IDataObject, settings: Partial<PaidResultsSettings> = {}) =>
	new PaidResults(context, { runIndex: 0, ...settings });
/** A text whose length counts as `length`. */
const textOf = (length: number) => 'x'.repeat(length - 2);
const failed = {
	executionId: '1',
	failure: {
		kind: 'gateway',
		message: 'gave up',
		advice: 'Look it up.',
		facts: { status: 504 },
		verdict: { charge: 'possible', again: 'ifFree' },
	},
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

	it('contains unclear outcomes, but no results, when n8n cannot run the node again', () => {
		const results = new PaidResults();
		results.keep('0/a', 'text', [0]);
		results.note('0/b', { failed });
		expect([results.record('0/a'), results.record('0/b')]).toEqual([{}, { failed }]);
	});

	it.each([
		...[true, 'yes', 1, '1'].map((payAgain) => [payAgain, true] as const),
		...[undefined, false, 'no', '', null].map((payAgain) => [payAgain, false] as const),
	])('is opened for the run of the node, with Start Over on Retry: %j', (payAgain, startsAnew) => {
		const { execute } = new FakeContext({ runIndex: 2, parameters: { limits: { payAgain } } });
		const { settings } = openPaidResults(execute, new ParameterReader(execute));
		expect(settings).toEqual({ runIndex: 2, startsAnew });
	});

	it('is saved with the execution, but not reused, while the user wants everything anew', () => {
		const [context, startsAnew] = [{}, true];
		const results = open(context, { startsAnew, maxLength: 10 });
		results.keep('0/a', 'text', [0]);
		results.keep('1/b', textOf(60), [1]);
		results.note('2/c', { failed });
		expect([...results.leftOut]).toEqual([]);
		expect(open(structuredClone(context)).record('0/a')).toEqual({ value: 'text' });
		const next = open(context, { startsAnew });
		expect([next.record('0/a'), next.record('2/c')]).toEqual([{}, { failed }]);
	});
});

describe('The limit of what is kept', () => {
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

	it('is that of what is kept at the moment, also in the next try', () => {
		const context = {};
		const results = open(context, { maxLength: 100 });
		for (const length of [60, 90, 100]) results.keep('0/a', textOf(length), [0]);
		results.note('0/a', { failed });
		results.keep('0/b', textOf(60), [0]);
		expect([...results.leftOut]).toEqual([]);
		const next = open(context, { maxLength: 100 });
		next.keep('1/c', textOf(41), [1]);
		expect([...next.leftOut]).toEqual([1]);
		next.forget('0/b');
		next.keep('2/c', textOf(100), [2]);
		expect([...next.leftOut]).toEqual([1]);
	});
});
