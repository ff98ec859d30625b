import type { INode, INodeType } from 'n8n-workflow';
import { retryRun } from '../engine/retry';
import { runWorkflow, type WorkflowJson } from '../engine/runWorkflow';
import { useChat } from '../engine/useChat';

const chat = useChat();
const CHAT = 'POST /v1/chat/completions';

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
	it.each([undefined, 1, 2, 3])(
		'pays in each pass, also when pass %j fails and is retried',
		async (failing) => {
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
		},
	);
});
