import { retryRun } from '../engine/retry';
import { oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';

const gateway = useEmulator(4.9e7);
const { credential } = gateway;
const rows = Array.from({ length: 40 }, (_, row) => ({ json: { row } }));
const chat = (parallelRequests?: number) =>
	oneNode('chat', {
		operation: 'chatCompletion',
		model: { __rl: true, mode: 'id', value: 'aurora-4' },
		prompt: '={{ "Row " + $json.row }}',
		options: { parallelRequests, payAgain: false },
	});
const paid = () => gateway.emulator.journal.entries().filter(({ status }) => status === 200).length;

describe('An item that fails, while others wait for a limit of the gateway', () => {
	it.each([undefined, 10])('ends the run at once, with Parallel Requests %s', async (parallelRequests) => {
		gateway.emulator.behaviour.set('POST /v1/*', {
			latencyMs: 50,
			faults: [
				{ kind: 'status', status: 429, headers: { 'retry-after': '2' }, times: 4 },
				{ kind: 'status', status: 400, body: { error: { message: 'Not this one.' } }, times: 1 },
				// The others of the first ten are answered after it.
				{ kind: 'drip', bytes: 100, delayMs: 50, times: 5 },
			],
		});
		const run = { credential: credential(), input: rows };
		const failed = await runWorkflow(chat(parallelRequests), run);
		expect(failed.error?.message).toContain('Not this one.');
		// Of the first ten, those that were refused are not sent again. Until the failure, another one may take a place.
		expect(gateway.emulator.journal.count()).toBeLessThanOrEqual(11);
		expect(paid()).toBeLessThanOrEqual(6);

		const { items } = await retryRun(chat(parallelRequests), failed, { ...run, executionId: '4900001' });
		expect(items).toHaveLength(rows.length);
		expect(paid()).toBe(rows.length);
	});
});
