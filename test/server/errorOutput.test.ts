import { connectInOrder, manualTrigger, workflowNode as node } from '../../tools/host/workflowBuilder';
import type { ResultItem } from '../../tools/host/n8nTypes';
import { byId, run } from './workflows';
import { useServer } from './useServer';

const n8n = useServer();

/** Three rows, of which the second is refused; what is in each output of the node. */
async function outputs(): Promise<ResultItem[][]> {
	n8n.emulator.behaviour.set('POST /v1/images/generations', {
		faults: [{ kind: 'status', status: 400, when: 'Two', times: 'always' }],
	});
	const rows = node('Rows', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		jsonOutput: JSON.stringify({ rows: ['One', 'Two', 'Three'].map((name) => ({ name })) }),
	});
	const each = node('Each', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'rows', options: {} });
	const image = node(
		'Image',
		`${n8n.packageName}.image`,
		1,
		{ operation: 'generate', model: byId('image-2'), prompt: '={{ $json.name }}', downloadImages: false },
		{ onError: 'continueErrorOutput' },
	);
	const nodes = [manualTrigger(), rows, each, image];
	const workflow = { name: 'Errors', nodes, connections: connectInOrder(nodes), settings: {} };
	const { runData } = await run(n8n, n8n.prepare(workflow));
	return (runData.Image[0].data?.main ?? []).map((items) => items ?? []);
}

describe('A failing item', () => {
	it('leaves through the error output with its row and its details', async () => {
		const [done, failed] = await outputs();
		expect(done).toHaveLength(2);
		expect(done.every(({ json }) => json?.error === undefined)).toBe(true);
		expect(failed).toEqual([
			expect.objectContaining({
				json: expect.objectContaining({
					name: 'Two',
					error: 'The gateway rejected the request: The request was refused.',
					details: expect.objectContaining({ status: 400, description: expect.any(String) }),
				}),
			}),
		]);
	});
});
