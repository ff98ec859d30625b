import type { INodeExecutionData } from 'n8n-workflow';
import { systemClock } from '../../../nodes/shared/limiter/clock';
import { textOr } from '../../../nodes/shared/plain/values';
import { chosen } from '../engine/chosen';
import * as fakeSdk from '../engine/fakeSdk';
import { user } from '../engine/fakeSdk';
import { nodeTypes } from '../engine/nodeTypes';
import { runSubNode } from '../engine/runSubNode';
import { runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { useFastClock } from '../faults/fastClock';
import { type OperationCase, operationCases, titleOf, workflowOf } from '../faults/operations';

jest.mock('@n8n/ai-node-sdk', () => fakeSdk, { virtual: true });

useFastClock(50);
const gateway = useEmulator({ now: () => systemClock.date() });

const isPaid = ({ method, path }: { method: string; path: string }) =>
	method === 'POST' || path.startsWith('/v2/');
const paid = () => gateway.emulator.journal.count((entry) => isPaid(entry) && entry.carriedOut);
/** Each paid answer takes the next of these costs, and the last one repeats. */
const costing = (...costs: string[]) => {
	const headers = costs.map((cost): Record<string, string> => ({ 'x-litellm-response-cost': cost }));
	for (const route of ['POST /*', 'GET /v2/*']) gateway.emulator.behaviour.set(route, { headers });
};

const FREE = /^account | (get|wait|getMany\w*)$/;
/** Each once: an entry with a route is another one again, for faults of its files. */
const paidCases = operationCases.filter(
	({ node, operation, route }) => route === undefined && !FREE.test(`${node} ${operation}`),
);

/** Four items that ask for different things. */
function rowsOf({ input }: OperationCase): INodeExecutionData[] {
	return Array.from({ length: 4 }, (_, row) => {
		const [{ json, ...others }]: INodeExecutionData[] = input?.(gateway.emulator) ?? [{ json: {} }];
		return { ...others, json: { row, ...json, text: `${textOr(json.text)} ${row}` } };
	});
}

async function run(one: OperationCase, maxCost: number) {
	const options = { parallelRequests: 1, maxCost, batchSize: 1 };
	const workflow = workflowOf(one, { options }, { onError: 'continueRegularOutput' });
	const result = await runWorkflow(workflow, { credential: gateway.credential(), input: rowsOf(one) });
	const [task] = result.run.data.resultData.runData[workflow.nodes[0].name];
	return { ...result, hints: result.hints.join(' '), traced: task.metadata?.tracing?.['llm.cost.total'] };
}

describe('What a header reports as the cost', () => {
	it('is tried with every node that pays', () => {
		const nodes = new Set(paidCases.map(({ node }) => node));
		const paying = Object.entries(nodeTypes).filter(
			([, { description }]) =>
				description.properties.some(({ name }) => name === 'spending') && description.outputs[0] === 'main',
		);
		expect([...nodes].sort()).toEqual(paying.map(([type]) => type.split('.')[1]).sort());
	});

	it.each(paidCases.map((one) => [titleOf(one), one] as const))(
		'counts for Max Cost, the hint, and the trace: %s',
		async (_title, one) => {
			costing('0.5');
			const { hints, traced } = await run(one, 1);
			expect(paid()).toBe(2);
			expect(hints).toContain('Cost reported by the gateway: 1.');
			expect(traced).toBe(1);
		},
	);

	const priced: Array<[node: string, cost: number]> = [
		['chat', 0.5],
		['image', 0.5],
		['speech create', 0.5],
		['speech create two parts, joined', 1],
		['speech joinItems', 2],
	];
	it.each(
		priced.flatMap(([name, cost]) =>
			paidCases
				.filter((one) => (name === 'speech create' ? titleOf(one) === name : titleOf(one).startsWith(name)))
				.map((one) => [titleOf(one), cost, one] as const),
		),
	)('is in the item: %s, %f', async (_title, cost, one) => {
		costing('0.5');
		const { items } = await run(one, 0);
		expect(items.length).toBeGreaterThan(0);
		for (const { json } of items) expect(json.cost).toBe(cost);
	});

	it('counts less than that of the usage', async () => {
		const choices = [{ message: { content: 'Blue' }, finish_reason: 'stop' }];
		const body = { choices, usage: { prompt_tokens: 1, completion_tokens: 1, cost: 0.25 } };
		const headers = { 'x-litellm-response-cost': '0.5' };
		gateway.fail('POST /v1/*', { kind: 'status', status: 200, body, headers, times: 'always' });
		const { items } = await run(
			paidCases.find((one) => titleOf(one) === 'chat chatCompletion')!,
			0,
		);
		expect(items.map(({ json }) => json.cost)).toEqual([0.25, 0.25, 0.25, 0.25]);
	});

	it('is shown with the tokens of the embeddings model', async () => {
		costing('0.5');
		const { runs } = await runSubNode(
			'embeddingsModel',
			{ model: chosen('embedding-3-small'), options: {} },
			async (it: { embedQuery(text: string): Promise<unknown> }) => await it.embedQuery('Hi'),
			{ credential: gateway.credential() },
		);
		expect(runs[0].data?.ai_embedding?.[0]?.[0].json.tokenUsage).toMatchObject({ cost: 0.5 });
	});

	it('is the cost of an answer of the chat model', async () => {
		costing('0.5');
		interface Model {
			generate(messages: object[]): Promise<{ providerMetadata: { cost: number } }>;
		}
		const { value, error } = await runSubNode(
			'chatModel',
			{ model: chosen('aurora-4'), format: 'chat', spending: { maxCost: 1 } },
			async (model: Model) => {
				const messages = [user('Hi')];
				const costs = [await model.generate(messages), await model.generate(messages)];
				await expect(model.generate(messages)).rejects.toThrow('Max Cost (1) is reached');
				return costs.map(({ providerMetadata }) => providerMetadata.cost);
			},
			{ credential: gateway.credential() },
		);
		expect([value, error, paid()]).toEqual([[0.5, 0.5], undefined, 2]);
	});
});
