import { paidCase } from './cases';
import { outputOf, PaidRun, referenceOutput } from './paidRun';
import { type PaidCase, ROWS } from './rows';

const JOINED = paidCase('Speech in two parts, joined');

let run: PaidRun;
afterEach(async () => await run.close());

/** A case whose long texts are treated in a way that the test changes. */
function longTextCase(setting: { longText: 'items' | 'join' }): PaidCase {
	const parameters: PaidCase['parameters'] = (text) => ({ ...JOINED.parameters(text), ...setting });
	return { ...JOINED, name: 'Speech in two parts', parameters };
}

describe('Retry with settings that have changed', () => {
	it.each(['Chat, one at a time', 'Image without a link', 'Embed, two rows in a request', 'Speech'])(
		'generates everything of %s again when the user has turned reuse off',
		async (name) => {
			run = await PaidRun.of(paidCase(name));
			run.refuse(4);
			await run.start({ parallelRequests: 1 });
			const before = run.paid();
			expect(before.slice(0, 3)).toEqual([1, 1, 1]);
			run.accept();
			const retried = await run.retry(undefined, { payAgain: true });
			expect(retried.error).toBeUndefined();
			expect(run.paid()).toEqual(before.map((times) => times + 1));
			expect(retried.hints.join()).not.toContain('Reused');
		},
	);

	it.each([
		['items', 'join'],
		['join', 'items'],
	] as const)('takes over the parts of a long text: first %s, then %s', async (first, second) => {
		const setting: { longText: 'items' | 'join' } = { longText: first };
		run = await PaidRun.of(longTextCase(setting));
		run.refuse(4);
		await run.start({ parallelRequests: 1 });
		const paidParts = run.paid()[3];
		run.accept();
		setting.longText = second;
		const retried = await run.retry();
		expect(retried.error).toBeUndefined();
		expect(run.paid()[3]).toBe(2);
		expect(paidParts).toBe(1);
		if (second === 'join') {
			expect(await outputOf(retried, run.paidCase)).toEqual(await referenceOutput(JOINED));
		} else {
			expect(retried.items).toHaveLength(2 * ROWS.length);
			expect(retried.items.every(({ json }) => (json.durationSeconds as number) > 0)).toBe(true);
		}
	});
});

describe('Retry On Fail after an answer that was paid for and cannot be used', () => {
	const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 4, waitBetweenTries: 1 };

	it.each(
		[
			'Chat, one at a time',
			'Image with a link',
			'Speech',
			'Embed, two rows in a request',
			'Rerank of a list per row',
		]
			.map(paidCase)
			.flatMap((each) => (['empty', 'html'] as const).map((kind) => ({ name: each.name, each, kind }))),
	)('does not pay for it again: $name, $kind', async ({ each, kind }) => {
		run = await PaidRun.of(each);
		run.rows = run.rows.slice(0, 1);
		const fault = { kind, status: 200, carriedOut: true, times: 'always' as const };
		run.emulator.behaviour.set(each.route, { ...each.rule, faults: [fault] });
		const { error } = await run.start({}, RETRY_ON_FAIL);
		expect(error).toBeDefined();
		expect(run.emulator.journal.count(each.route)).toBe(1);

		run.emulator.behaviour.set(each.route, { ...each.rule });
		expect((await run.retry()).error).toBeUndefined();
		expect(run.emulator.journal.count(each.route)).toBe(2);
	});
});
