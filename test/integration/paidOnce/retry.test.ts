import { paidCase, paidCases } from './cases';
import { outputOf, PaidRun, referenceOutput } from './paidRun';
import { type PaidCase, ROWS } from './rows';

/** What n8n's engine saves and gives back; the simulation shows what the nodes make of it. */

let run: PaidRun;
afterEach(async () => await run.close());

/** One of each node; the simulation and a real n8n run all of them. */
const CASES = paidCases.filter(
	({ node }, index) => paidCases.findIndex((one) => one.node === node) === index,
);
const CHATS = paidCase('Chat, five at once');
/** n8n's node settings; a wait of 0 would be taken for 1 s. */
const retryOnFail = (more: object = {}) => ({
	retryOnFail: true,
	maxTries: 3,
	waitBetweenTries: 1,
	...more,
});

/** Refuses a row in the first try. */
function refuseOnce(row: number): void {
	run.refuse([row]);
	run.onTry = (tryNumber) => {
		if (tryNumber === 2) run.accept();
	};
}

describe('Retry', () => {
	it.each(CASES)(
		'pays each row of $name once and gives the output of a run without failure',
		async (each) => {
			run = await PaidRun.of(each);
			run.refuse([4]);
			expect((await run.start()).error).toBeDefined();
			run.accept();
			const retried = await run.retry();
			expect(retried.error).toBeUndefined();
			expect(run.paid()).toEqual(run.expected());
			expect(await outputOf(retried, each)).toEqual(await referenceOutput(each));
			// What was kept for the retry is not saved with the execution again.
			expect(JSON.stringify(retried.run.data.executionData?.contextData)).not.toContain('fox');
		},
	);

	it.each([
		['items', 'join'],
		['join', 'items'],
	])('takes over the parts of a long text that were first to %s, now to %s', async (first, second) => {
		const joined = paidCase('Speech in two parts, joined');
		let longText = first;
		const parameters: PaidCase['parameters'] = (text) => ({ ...joined.parameters(text), longText });
		run = await PaidRun.of({ ...joined, parameters });
		run.refuse([4]);
		await run.start({ parallelRequests: 1 });
		run.accept();
		longText = second;
		const { items } = await run.retry();
		expect(run.paid()).toEqual(run.expected());
		expect(items).toHaveLength(ROWS.length * (second === 'items' ? 2 : 1));
	});

	it('waits on for songs that were not finished in time, and orders none again but those that failed', async () => {
		const music = { pendingMs: 0, processingMs: 90_000, failWhen: 'Row4-' };
		run = await PaidRun.of({
			...paidCase('Music'),
			rule: { music },
			options: { maxWaitMinutes: 1 },
		});
		run.refuse([6]);
		expect((await run.start()).error).toBeDefined();
		run.emulator.behaviour.set(run.paidCase.route, { music: { pendingMs: 0, processingMs: 5_000 } });
		await run.retry();
		const { items, error } = await run.retry();
		expect(error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected({ 4: 2 }));
		expect(items).toHaveLength(14);
	});
});

describe('Retry On Fail', () => {
	it.each(CASES)('pays each row of $name once', async (each) => {
		run = await PaidRun.of(each);
		refuseOnce(4);
		const result = await run.start({}, retryOnFail());
		expect(result.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
		expect(await outputOf(result, each)).toEqual(await referenceOutput(each));
	});

	// n8n runs the node again when its first output item has an error.
	it.each(['continueRegularOutput', 'continueErrorOutput'])(
		'with On Error set to %s pays each row once when the first one is refused',
		async (onError) => {
			run = await PaidRun.of(CHATS);
			refuseOnce(1);
			const result = await run.start({}, retryOnFail({ onError }));
			expect(run.paid()).toEqual(run.expected());
			const [items] = (await outputOf(result, CHATS)) as unknown[][];
			expect([items]).toEqual(await referenceOutput(CHATS));
			run.onTry = () => undefined;
			run.refuse([1]);
			const { outputs } = await run.start({}, retryOnFail({ onError }));
			expect(outputs.flat()).toHaveLength(7);
			expect(run.paid()).toEqual(run.expected(Object.fromEntries(ROWS.slice(1).map((row) => [row, 2]))));
		},
	);

	it.each(['', 0, 'An earlier node failed'])('is harmless when the input has the error %j', async (error) => {
		run = await PaidRun.of(paidCase('Embed, all rows in a request'));
		// n8n takes the field for a failure of the node and runs it again, although nothing failed.
		run.rows = run.rows.map((row) => ({ ...row, error }));
		const { items } = await run.start({}, retryOnFail());
		expect(items).toHaveLength(7);
		expect(run.paid()).toEqual(run.expected());
	});
});
