import type { INodeParameters } from 'n8n-workflow';
import { retryRun } from '../engine/retry';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

const gateway = useEmulator(4.6e7);
const { credential } = gateway;
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
/** Three different rows, each of them three times. */
const input = Array.from({ length: 9 }, (_, index) => ({
	json: { row: index % 3, words: ['one', 'two', 'six'][index % 3] },
}));
const CONTINUES = { onError: 'continueRegularOutput' } as const;

const NODES: Record<string, INodeParameters> = {
	chat: { operation: 'chatCompletion', model: byId('aurora-4'), prompt: '={{ "Row " + $json.row }}' },
	image: { operation: 'generate', model: byId('image-2'), prompt: '={{ "Row " + $json.row }}' },
	speech: {
		operation: 'create',
		model: byId('svc-tts'),
		text: '={{ "Row number " + $json.words }}',
		voice: byId('Anders'),
	},
	utilities: {
		operation: 'translate',
		text: '={{ "Row " + $json.words }}',
		encoding: 'json',
	},
};
const workflow = (type: string, shareEqual: boolean, settings: object = {}, options: INodeParameters = {}) =>
	oneNode(type, { ...NODES[type], options: { ...options, shareEqual } }, settings);
const paid = () => gateway.emulator.journal.entries().filter(({ path }) => !path.startsWith('/__emulator'));

describe('Pay for Equal Requests Once', () => {
	it.each(Object.keys(NODES))('shares the answers of %s, each linked to its own item', async (type) => {
		const { items, error } = await runWorkflow(workflow(type, true), { credential: credential(), input });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(9);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
		expect(paid()).toHaveLength(3);
		for (const row of [0, 1, 2]) {
			const [first, ...others] = [row, row + 3, row + 6].map((index) => items[index].json);
			for (const other of others) {
				expect(other).toEqual(first);
				expect(other).not.toBe(first);
			}
		}
		if (type !== 'speech') expect(items[0].json).not.toEqual(items[1].json);
	});

	it.each([1, 2, 0])(
		'waits for the first request when it is refused, with Max Concurrency %i',
		async (width) => {
			gateway.emulator.behaviour.set('POST /v1/*', {
				faults: [{ kind: 'status', status: 429, headers: { 'retry-after': '1' }, times: 2 }],
			});
			const run = workflow('chat', true, {}, { maxConcurrency: width });
			const { items, error } = await runWorkflow(run, { credential: credential(), input });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(9);
			expect(paid().filter(({ status }) => status === 200)).toHaveLength(3);
		},
	);

	it('is off by default', async () => {
		await runWorkflow(workflow('chat', false), { credential: credential(), input });
		expect(paid()).toHaveLength(9);
	});

	it('counts tokens once, and says how many items share an answer', async () => {
		const { items, hints } = await runWorkflow(workflow('chat', true), { credential: credential(), input });
		const tokens = items.slice(0, 3).reduce((sum, { json }) => sum + Number(json.inputTokens), 0);
		expect(hints.join(' ')).toContain(`Tokens: ${tokens} input`);
		expect(hints.join(' ')).toContain('6 items took over the answer to an equal request of this run.');
	});

	it('shares failures as well, so that an unclear request is not sent again', async () => {
		gateway.emulator.behaviour.set('POST /v1/*', {
			faults: [{ kind: 'html', status: 504, carriedOut: true, when: 'Row 1' }],
		});
		const { items } = await runWorkflow(workflow('chat', true, CONTINUES), {
			credential: credential(),
			input,
		});
		expect(paid()).toHaveLength(3);
		expect(items.map(({ json }) => 'error' in json)).toEqual(input.map(({ json }) => json.row === 1));
	});

	it('is not paid for again by a retry', async () => {
		gateway.emulator.behaviour.set('POST /v1/*', {
			faults: [{ kind: 'status', status: 400, when: 'Row 2', body: { error: { message: 'No.' } } }],
		});
		const run = { credential: credential(), input };
		const node = workflow('chat', true, {}, { maxConcurrency: 1 });
		const failed = await runWorkflow(node, run);
		expect(failed.error?.message).toContain('[item 2]');
		const { items } = await retryRun(node, failed, run);
		expect(items).toHaveLength(9);
		expect(paid().filter(({ status }) => status === 200)).toHaveLength(3);
	});
});
