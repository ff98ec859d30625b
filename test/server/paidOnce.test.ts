import { paidCase, paidCases } from '../integration/paidOnce/cases';
import { EDITED_TEXT, type PaidCase } from '../integration/paidOnce/rows';
import { PaidWorkflow } from './paidOnceWorkflows';
import { useServer } from './useServer';

const n8n = useServer();
let workflow: PaidWorkflow;
afterEach(async () => await workflow.close());

const references = new Map<string, unknown>();

/** The output of a run in which no row is refused. */
async function reference(each: PaidCase): Promise<unknown> {
	if (!references.has(each.name)) {
		const undisturbed = await PaidWorkflow.of(n8n, each);
		const execution = await undisturbed.start();
		expect(execution.status).toBe('success');
		references.set(each.name, await undisturbed.output(execution));
		await undisturbed.close();
	}
	return references.get(each.name);
}

describe('Retry in the list of executions', () => {
	it.each(paidCases)('pays each row of $name once', async (each) => {
		workflow = await PaidWorkflow.of(n8n, each);
		workflow.refuse([4]);
		expect((await workflow.start()).status).toBe('error');
		workflow.accept();
		const retried = await workflow.retry();
		expect(retried.status).toBe('success');
		expect(retried.runData['After it']).toHaveLength(1);
		expect(workflow.paid()).toEqual(workflow.expected());
		expect(await workflow.output(retried)).toEqual(await reference(each));
	});

	it('pays only for the changed row and the refused one after the workflow was edited', async () => {
		workflow = await PaidWorkflow.of(n8n, paidCase('Embed, two rows in a request'));
		workflow.refuse([4]);
		await workflow.start();
		workflow.accept();
		await workflow.edit(EDITED_TEXT);
		expect((await workflow.retry(true)).status).toBe('success');
		expect(workflow.paid()).toEqual(workflow.expected({ 2: 2 }));
	});
});

describe('Retry On Fail', () => {
	const once = ({ refusals = 1 }: PaidCase) => refusals;

	it.each(paidCases)('pays each row of $name once', async (each) => {
		workflow = await PaidWorkflow.of(n8n, each);
		workflow.refuse([4], once(each));
		const execution = await workflow.start({}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 50 });
		expect(execution.status).toBe('success');
		expect(workflow.paid()).toEqual(workflow.expected());
		expect(await workflow.output(execution)).toEqual(await reference(each));
	});
});
