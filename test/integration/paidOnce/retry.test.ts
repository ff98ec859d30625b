import { paidCases } from './cases';
import { outputOf, PaidRun, referenceOutput } from './paidRun';
import { EDITED_TEXT } from './rows';

let run: PaidRun;
afterEach(async () => await run.close());

describe.each(paidCases)('Retry of $name', (each) => {
	beforeEach(async () => {
		run = await PaidRun.of(each);
		run.refuse(4);
	});

	it('pays each row once and gives the output of a run without failure', async () => {
		const failed = await run.start();
		expect(failed.error).toBeDefined();
		run.accept();
		const retried = await run.retry();
		expect(retried.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
		expect(await outputOf(retried, each)).toEqual(await referenceOutput(each));
		// What was kept for the retry is not saved with the execution again.
		expect(JSON.stringify(retried.run.data.executionData?.contextData)).not.toContain('fox');
	});

	it('pays only the changed row and the refused one after the workflow was edited', async () => {
		await run.start();
		run.accept();
		const retried = await run.retry(EDITED_TEXT);
		expect(retried.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected({ 2: 2 }));
	});

	it('pays each row once when the retry fails and is retried', async () => {
		// Row 6 may be finished before row 4 fails, so it is refused from the beginning.
		run.refuse(4, 6);
		await run.start();
		expect((await run.retry()).error).toBeDefined();
		run.refuse(6);
		expect((await run.retry()).error).toBeDefined();
		run.accept();
		const retried = await run.retry();
		expect(retried.error).toBeUndefined();
		expect(run.paid()).toEqual(run.expected());
		expect(await outputOf(retried, each)).toEqual(await referenceOutput(each));
	});
});
