import { paidCase, paidCases } from './cases';
import { outputOf, PaidRun, referenceOutput } from './paidRun';
import { EMBED, markOf, ROWS } from './rows';

let run: PaidRun;
afterEach(async () => await run.close());

/** n8n's node settings; a wait of 0 would be taken for 1 s. */
const retryOnFail = (maxTries: number, more: object = {}) => ({
	retryOnFail: true,
	maxTries,
	waitBetweenTries: 1,
	...more,
});

/** Refuses a row until the given try. */
function refuseUntil(lastTry: number, row: number): void {
	run.refuse(row);
	run.onTry = (tryNumber) => {
		if (tryNumber === lastTry) run.accept();
	};
}

/** The cases whose first output item is that of the first row, even if the row fails. */
const failingFirst = paidCases.filter(
	({ name }) => !['Rerank of the input items', 'Speech in two parts, an item each'].includes(name),
);

describe('Retry On Fail', () => {
	it.each(paidCases)('pays each row of $name once in two tries', async (each) => {
		run = await PaidRun.of(each);
		refuseUntil(2, 4);
		const result = await run.start({}, retryOnFail(2));
		expect(result.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
		expect(await outputOf(result, each)).toEqual(await referenceOutput(each));
	});

	it('pays each row once when all tries fail and the execution is retried', async () => {
		run = await PaidRun.of(paidCase('Image with a link'));
		run.refuse(4);
		expect((await run.start({}, retryOnFail(3))).error).toBeDefined();
		run.accept();
		expect((await run.retry()).error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
	});

	describe.each([
		['continueRegularOutput', failingFirst.filter(({ perRow, node }) => perRow === 2 || node === 'image')],
		['continueErrorOutput', failingFirst],
	])('with On Error set to %s', (onError, cases) => {
		it.each(cases)('pays each row of $name once when the first one is refused once', async (each) => {
			run = await PaidRun.of(each);
			// n8n runs the node again when its first output item has an error.
			refuseUntil(2, 1);
			const result = await run.start({}, retryOnFail(3, { onError }));
			expect(result.error).toBeUndefined();
			expect(run.paid()).toEqual(run.expected());
			const [items] = (await outputOf(result, each)) as unknown[][];
			expect([items]).toEqual(await referenceOutput(each));
		});

		it('pays each other row once when the first one is refused every time', async () => {
			run = await PaidRun.of(paidCase('Chat, five at once'));
			run.refuse(1);
			const { outputs } = await run.start({}, retryOnFail(5, { onError }));
			expect(outputs.flat()).toHaveLength(7);
			expect(run.paid()).toEqual(run.expected({ 1: 0 }));
		});
	});

	it.each(['', 0, 'An earlier node failed'])(
		'pays each row once when the input already has the error %j',
		async (error) => {
			run = await PaidRun.of(paidCase('Embed, all rows in a request'));
			// n8n takes the field for a failure of the node and runs it again, although nothing failed.
			run.rows = run.rows.map((row) => ({ ...row, error }));
			const { items } = await run.start({}, retryOnFail(3));
			expect(items).toHaveLength(7);
			expect(run.paid()).toEqual(run.expected());
		},
	);

	it('pays once for texts whose answer is lost, although the next try sends them with others', async () => {
		run = await PaidRun.of(paidCase('Embed, all rows in a request'));
		run.emulator.behaviour.set(EMBED, {
			faults: [
				// All rows, half of them, a quarter, and row 1 alone, which the next try adds to those whose answer is lost.
				{ kind: 'status', status: 400, when: markOf(1), times: 4 },
				{ kind: 'cut', afterBytes: 5, when: markOf(7) },
			],
		});
		const { items } = await run.start({}, retryOnFail(3, { onError: 'continueRegularOutput' }));
		expect(run.paid()).toEqual(run.expected());
		expect(items.map(({ json }) => json.error !== undefined)).toEqual(ROWS.map((row) => row > 4));
		expect(items[6].json.details).toMatchObject({ mayHaveBeenCarriedOut: true });
	});
});
