import { paidCase } from '../integration/paidOnce/cases';
import { type PaidCase, textOf } from '../integration/paidOnce/rows';
import { PaidWorkflow } from './paidOnceWorkflows';
import { useServer } from './useServer';

const n8n = useServer();
let workflow: PaidWorkflow;
afterEach(async () => await workflow.close());

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('Retry of a large batch', () => {
	it.each<[string, number, PaidCase]>([
		[
			'60 chats of 20 kB',
			60,
			{ ...paidCase('Chat, five at once'), rule: { answer: { texts: ['x'.repeat(20_000)] } } },
		],
		['300 texts of 1,536 numbers', 300, { ...paidCase('Embed, all rows in a request'), options: {} }],
	])('reuses every paid result of %s when the last one failed', async (_what, count, large) => {
		const rows = numbers(count);
		workflow = await PaidWorkflow.of(n8n, large);
		workflow.refuse([count]);
		expect((await workflow.start({}, {}, rows.map(textOf))).status).toBe('error');
		expect(workflow.paid(rows)).toEqual(workflow.expected({ [count]: 0 }, rows));
		workflow.accept();
		const retried = await workflow.retry();
		expect(retried.status).toBe('success');
		expect(retried.runData['After it'][0].data?.main[0]).toHaveLength(count);
		expect(workflow.paid(rows)).toEqual(workflow.expected({}, rows));
	});
});
