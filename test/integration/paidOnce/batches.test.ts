import type { INode, INodeType } from 'n8n-workflow';
import { retryRun } from '../engine/retry';
import { oneNode, runWorkflow, type WorkflowJson } from '../engine/runWorkflow';
import { startStrictEmulator } from '../engine/strictEmulator';
import { paidCase } from './cases';
import { PaidRun } from './paidRun';
import { CHAT, markOf, textOf } from './rows';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('Retry of a large batch', () => {
	it.each([
		[
			'60 chats of 20 kB',
			60,
			{ ...paidCase('Chat, five at once'), rule: { answer: { texts: ['x'.repeat(20_000)] } } },
		],
		['300 texts of 1,536 numbers', 300, { ...paidCase('Embed, all rows in a request'), options: {} }],
	])('reuses every paid result of %s when the last one failed', async (_what, count, large) => {
		const rows = numbers(count);
		const run = await PaidRun.of(large);
		run.rows = rows.map((row) => ({ text: textOf(row) }));
		run.refuse(count);
		expect((await run.start()).error).toBeDefined();
		const expected = run.expected({ [count]: 0 }, rows);
		expect(run.paid(rows)).toEqual(expected);
		run.accept();
		const retried = await run.retry();
		expect(retried.error).toBeUndefined();
		expect(retried.items).toHaveLength(count);
		expect(run.paid(rows)).toEqual(run.expected({}, rows));
		await run.close();
	});
});

/** Lets its items pass through its second output three times, then through its first one. */
const threePasses = {
	description: {
		displayName: 'Loop',
		name: 'loop',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: { name: 'Loop' },
		inputs: ['main'],
		outputs: ['main', 'main'],
		properties: [],
	},
	execute() {
		const context = this.getContext('node');
		context.passes = Number(context.passes ?? 0) + 1;
		const items = this.getInputData();
		return Promise.resolve(Number(context.passes) > 3 ? [items, []] : [[], items]);
	},
} as INodeType;

describe('Chat inside a loop', () => {
	const rows = [1, 2];

	it.each([undefined, 1, 2, 3])(
		'pays in each pass, also when pass %j fails and is retried',
		async (failing) => {
			const emulator = await startStrictEmulator();
			const { node, parameters } = paidCase('Chat, five at once');
			const chat = oneNode(node, { ...parameters(JSON.stringify('x')), prompt: '={{ $json.text }}' });
			const json = loopOf({ ...chat.nodes[0], name: 'Paid' });
			const options = {
				credential: { baseUrl: emulator.url, apiKey: emulator.apiKey, requestsPerMinute: 6e7 },
				nodeTypes: { loop: threePasses },
			};
			const input = rows.map((row) => ({ json: { text: textOf(row) } }));
			if (failing !== undefined) {
				const faults = [{ kind: 'status' as const, status: 400, when: markOf(2), skip: failing - 1 }];
				emulator.behaviour.set(CHAT, { faults });
			}
			let result = await runWorkflow(json, { ...options, input, mode: 'webhook' });
			if (failing !== undefined) {
				expect(result.error).toBeDefined();
				result = await retryRun(json, result, { ...options, executionId: 'retry' });
			}
			expect(result.error).toBeUndefined();
			const paid = emulator.journal.entries(CHAT).filter(({ carriedOut }) => carriedOut);
			expect(paid).toHaveLength(3 * rows.length);
			const answers = result.run.data.resultData.runData.Paid.flatMap(({ data }) => data?.main[0] ?? []);
			expect(new Set(answers.map(({ json: { id } }) => id)).size).toBe(3 * rows.length);
			await emulator.close();
		},
	);
});

/** Start → Loop → (second output) Paid → Loop. */
function loopOf(paid: INode): WorkflowJson {
	const type = paid.type.replace(/\.\w+$/, '.loop');
	const loop: INode = { ...paid, name: 'Loop', type, parameters: {}, credentials: {} };
	return {
		nodes: [loop, paid],
		connections: {
			Loop: { main: [[], [{ node: 'Paid', type: 'main', index: 0 }]] },
			Paid: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
		},
	};
}
