import { createHash } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import { retryRun } from '../engine/retry';
import { type RunResult, type WorkflowJson, fileBytes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { testNode } from '../engine/testNode';
import { useChat } from '../engine/useChat';
import { useEmulator } from '../engine/useEmulator';
import { paidCase } from './cases';
import { comparable } from './comparable';
import { type PaidCase, ROWS, TEXT, markOf, textOf } from './rows';

/** What n8n's engine saves and gives back; the simulation shows what the nodes make of it. */

const gateway = useEmulator();
let executions = 0;

/** Answers in JSON, files without a link, several requests for an item, and several items in a request. */
const CASES = [
	'Chat, five at once',
	'Image without a link',
	'Speech in two parts, joined',
	'Embed, two rows in a request',
].map(paidCase);
const [CHATS] = CASES;
/** n8n's node settings; a wait of 0 would be taken for 1 s. */
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The gateway of a case, which accepts everything, and how often it was paid for each row. */
function gatewayOf({ route, rule, refusedText = markOf, perRow = 1 }: PaidCase) {
	const { behaviour, journal } = gateway.emulator;
	const refuse = (rows: number[], times: number | 'always' = 'always') => {
		const fault = { kind: 'status', status: 400, times } as const;
		behaviour.set(route, { ...rule, faults: rows.map((row) => ({ ...fault, when: refusedText(row) })) });
	};
	refuse([]);
	return {
		refuse,
		accept: () => refuse([]),
		paid: () => {
			const sent = journal.entries(route).filter(({ carriedOut }) => carriedOut);
			const bodies = sent.map(({ body }) => JSON.stringify(body));
			return ROWS.map((row) => bodies.filter((body) => body.includes(markOf(row))).length);
		},
		/** What `paid` is when every row was paid for once, or the given number of times. */
		expected: (times: Record<number, number> = {}) => ROWS.map((row) => (times[row] ?? 1) * perRow),
	};
}
const workflowOf = ({ node, parameters, options }: PaidCase, settings: Partial<INode> = {}) =>
	oneNode(node, { simplify: true, ...parameters(TEXT), options }, settings);
const common = () => ({ credential: gateway.credential(), executionId: `paid-${(executions += 1)}` });

/** Runs the workflow from its beginning, as a webhook does. @param more fields of each row */
async function start(each: PaidCase, settings: Partial<INode> = {}, more: object = {}): Promise<RunResult> {
	const input = ROWS.map((row) => ({ json: { text: textOf(row), ...more } }));
	return await runWorkflow(workflowOf(each, settings), { ...common(), input, mode: 'webhook' });
}

/** The items of a run, without what differs from run to run. */
async function outputOf({ outputs }: RunResult): Promise<unknown> {
	return await comparable(outputs, async (file) =>
		createHash('sha256')
			.update(await fileBytes(file))
			.digest('hex'),
	);
}

/** The output of a run in which no row is refused. */
async function undisturbed(each: PaidCase): Promise<unknown> {
	gatewayOf(each);
	const output = await outputOf(await start(each));
	gateway.reset();
	return output;
}

describe('Retry', () => {
	it.each(CASES)(
		'pays each row of $name once and gives the output of a run without failure',
		async (each) => {
			const expected = await undisturbed(each);
			const paidGateway = gatewayOf(each);
			paidGateway.refuse([4]);
			const failed = await start(each);
			expect(failed.error).toBeDefined();
			paidGateway.accept();
			const retried = await retryRun(workflowOf(each), failed, common());
			expect(retried.error).toBeUndefined();
			expect(paidGateway.paid()).toEqual(paidGateway.expected());
			expect(await outputOf(retried)).toEqual(expected);
			// What was kept for the retry is not saved with the execution again.
			expect(JSON.stringify(retried.run.data.executionData?.contextData)).not.toContain('fox');
		},
	);

	it.each([
		['items', 'join'],
		['join', 'items'],
	])('takes over the parts of a long text that were first to %s, now to %s', async (first, second) => {
		const joined = paidCase('Speech in two parts, joined');
		const each = (longText: string): PaidCase => ({
			...joined,
			parameters: (text) => ({ ...joined.parameters(text), longText }),
			options: { ...joined.options, parallelRequests: 1 },
		});
		const paidGateway = gatewayOf(joined);
		paidGateway.refuse([4]);
		const failed = await start(each(first));
		paidGateway.accept();
		const { items } = await retryRun(workflowOf(each(second)), failed, common());
		expect(paidGateway.paid()).toEqual(paidGateway.expected());
		expect(items).toHaveLength(ROWS.length * (second === 'items' ? 2 : 1));
	});
});

describe('Retry On Fail', () => {
	// n8n runs the node again when its first output item has an error.
	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'with On Error set to %s pays each row once when the first one is refused',
		async (onError) => {
			const [expected] = (await undisturbed(CHATS)) as unknown[][];
			const paidGateway = gatewayOf(CHATS);
			paidGateway.refuse([1], 1);
			const result = await start(CHATS, { ...RETRY_ON_FAIL, onError });
			expect(paidGateway.paid()).toEqual(paidGateway.expected());
			const [items] = (await outputOf(result)) as unknown[][];
			expect(items).toEqual(expected);
			paidGateway.refuse([1]);
			const { outputs } = await start(CHATS, { ...RETRY_ON_FAIL, onError });
			expect(outputs.flat()).toHaveLength(7);
			const others = Object.fromEntries(ROWS.slice(1).map((row) => [row, 2]));
			expect(paidGateway.paid()).toEqual(paidGateway.expected(others));
		},
	);

	it.each(['', 0, 'An earlier node failed'])('is harmless when the input has the error %j', async (error) => {
		const each = paidCase('Embed, all rows in a request');
		const paidGateway = gatewayOf(each);
		// n8n takes the field for a failure of the node and runs it again, although nothing failed.
		const { items } = await start(each, RETRY_ON_FAIL, { error });
		expect(items).toHaveLength(7);
		expect(paidGateway.paid()).toEqual(paidGateway.expected());
	});
});

const chat = useChat();
const CHAT = 'POST /v1/chat/completions';

/** Lets its items pass through its second output three times, then through its first one. */
const threePasses = testNode(
	{ inputs: ['main'], outputs: ['main', 'main'] },
	{
		async execute() {
			const context = this.getContext('node');
			context.passes = Number(context.passes ?? 0) + 1;
			const items = this.getInputData();
			return Number(context.passes) > 3 ? [items, []] : [[], items];
		},
	},
);

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

describe('A node inside a loop', () => {
	it.each([undefined, 2])('pays in each pass, also when pass %j fails and is retried', async (failing) => {
		const { nodes } = chat.workflow({ operation: 'chatCompletion', prompt: '={{ $json.text }}' });
		const json = loopOf({ ...nodes[0], name: 'Paid' });
		const options = { credential: chat.credential(), nodeTypes: { loop: threePasses } };
		if (failing !== undefined) {
			const fault = { kind: 'status', status: 400, when: 'Row 2', skip: failing - 1 } as const;
			chat.fail(CHAT, fault);
		}
		const input = [1, 2].map((row) => ({ json: { text: `Row ${row}` } }));
		let result = await runWorkflow(json, { ...options, input, mode: 'webhook' });
		if (failing !== undefined) {
			expect(result.error).toBeDefined();
			result = await retryRun(json, result, { ...options, executionId: 'retry' });
		}
		expect(result.error).toBeUndefined();
		expect(chat.emulator.journal.count(({ carriedOut }) => carriedOut)).toBe(6);
		const answers = result.run.data.resultData.runData.Paid.flatMap(({ data }) => data?.main[0] ?? []);
		expect(new Set(answers.map(({ json: { text } }) => text)).size).toBe(6);
	});
});
