import { readFile } from 'node:fs/promises';

import type { Execution } from '../../tools/host/n8nTypes';
import { workflowNode } from '../../tools/host/workflowBuilder';
import { CHAT, IMAGE, markOf, ROWS } from '../integration/paidOnce/rows';
import { PaidRows } from './paidRows';
import { readServerSettings } from './serverSettings';
import { useServer } from './useServer';
import { describeSince, WITH_RETRY_AFTER_STOP } from './versions';

/** The table "What survives what" of docs/paid-once.md. */

const n8n = useServer();
const rows = new PaidRows(n8n);

/** Refuses row 4 this many times. */
function refuseRow4(route: string, times = 1, images: object = {}): void {
	const fault = { kind: 'status' as const, status: 400, when: markOf(4), times };
	n8n.emulator.behaviour.set(route, { images, faults: [fault] });
}

const once = ROWS.map(() => 1);
const onceBut4 = ROWS.map((row) => (row === 4 ? 0 : 1));

describe('What survives a failure', () => {
	it.each(['continueRegularOutput', 'continueErrorOutput'])(
		'is the whole output with On Error set to %s, and n8n offers no retry',
		async (onError) => {
			refuseRow4(CHAT);
			const { id, status, runData } = await rows.run({ node: { onError } });
			expect(status).toBe('success');
			const outputs = runData.Paid[0].data!.main;
			expect(outputs.flat()).toHaveLength(7);
			// With On Error at an output of its own, the failed row is alone there.
			const failed = outputs.at(-1)!.filter((item) => item?.json?.error !== undefined);
			expect(failed).toMatchObject([
				{
					json: {
						error: 'The gateway rejected the request: The request was refused.',
						details: { status: 400, description: expect.any(String) },
					},
				},
			]);
			if (onError === 'continueErrorOutput') expect(outputs[1]).toHaveLength(1);
			await expect(n8n.rest.retryExecution(id)).rejects.toThrow('cannot be retried');
			expect(rows.paid()).toEqual(onceBut4);
		},
	);

	it('is the output of the paid node when a later node fails', async () => {
		const later = workflowNode('Later', 'n8n-nodes-base.stopAndError', 1, { errorMessage: 'No.' });
		const { id, status } = await rows.run({ later });
		expect(status).toBe('error');
		await n8n.rest.retryExecution(id);
		expect(rows.paid()).toEqual(once);
	});

	it('is reused by Retry On Fail even if n8n does not save failed executions', async () => {
		refuseRow4(CHAT);
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 50 };
		const { status } = await rows.run({ node, settings: { saveDataErrorExecution: 'none' } });
		expect(status).toBe('success');
		expect(rows.paid()).toEqual(once);
	});

	it('is reused after a restart of n8n', async () => {
		refuseRow4(CHAT);
		const { id, status } = await rows.run();
		expect(status).toBe('error');
		await n8n.restart();
		expect((await n8n.rest.retryExecution(id)).status).toBe('success');
		expect(rows.paid()).toEqual(once);
	});
});

describe('What survives the deletion of the first execution', () => {
	/** Retries twice: row 4 is refused once more, and the first execution is deleted in between. */
	async function retryWithoutFirst(images: object): Promise<Execution> {
		refuseRow4(IMAGE, 2, images);
		const first = await rows.run({ isImage: true });
		const second = await n8n.rest.retryExecution(first.id);
		expect([first.status, second.status]).toEqual(['error', 'error']);
		await n8n.rest.deleteExecution(first.id);
		const third = await n8n.rest.retryExecution(second.id);
		expect(third.status).toBe('success');
		return third;
	}

	it('are files with a link, which are downloaded again', async () => {
		await retryWithoutFirst({ answerAs: 'url' });
		expect(rows.paid(IMAGE)).toEqual(once);
	});

	it('are not files without a link, which are paid for again with a hint', async () => {
		const third = await retryWithoutFirst({ answerAs: 'b64_json', fileBytes: 400_000 });
		expect(rows.paid(IMAGE)).toEqual([2, 2, 2, 1, 1, 1, 1]);
		expect(JSON.stringify(third.runData.Paid.at(-1))).toContain('paid for again (rows 1–3)');
	});
});

describeSince(WITH_RETRY_AFTER_STOP)('What survives the end of a run from outside', () => {
	it('is, after the time limit of the workflow, everything but the item in progress', async () => {
		n8n.emulator.behaviour.set(CHAT, { latencyMs: 1_000 });
		const { id, status } = await rows.run({ settings: { executionTimeout: 4 } });
		expect(status).toBe('canceled');
		const finished = rows.paid().filter((times) => times > 0).length;
		expect(finished).toBeGreaterThan(0);
		n8n.emulator.behaviour.reset();
		expect((await n8n.rest.retryExecution(id)).status).toBe('success');
		expect(rows.paid().every((times) => times > 0)).toBe(true);
		expect(rows.paid().filter((times) => times > 1).length).toBeLessThanOrEqual(1);
	});

	// n8n's Stop does not reach a worker that runs what a webhook process has received.
	const { isProduction } = readServerSettings(process.env);
	const [itIfStopped, itIfNot] = isProduction ? [it.skip, it] : [it, it.skip];

	/** Stops an execution after so many requests, each of which takes a while. @returns its workflow */
	async function stopped(requests: number, latencyMs: number): Promise<string> {
		n8n.emulator.behaviour.set(CHAT, { latencyMs });
		const workflowId = await rows.start();
		await n8n.emulator.journal.until(requests, CHAT, 60_000);
		const running = await n8n.rest.newestExecution(workflowId);
		await n8n.rest.stopExecution(running?.id ?? '');
		return workflowId;
	}

	itIfNot('is everything after a Stop that does not reach the worker', async () => {
		const workflowId = await stopped(2, 300);
		expect((await rows.ended(workflowId)).status).toBe('canceled');
		await n8n.emulator.journal.until(ROWS.length, CHAT, 60_000);
		expect(n8n.emulator.journal.count(CHAT)).toBe(ROWS.length);
	});

	itIfStopped('is, after Stop, a line in the log that names the paid items', async () => {
		const { id, status } = await rows.ended(await stopped(3, 1_000));
		expect(status).toBe('canceled');
		const servers = [n8n.server, ...n8n.workers];
		const logs = await Promise.all(servers.map(async ({ logFile }) => await readFile(logFile, 'utf8')));
		expect(logs.join('\n')).toMatch(/Finished and paid for: rows 1–[1-3]\./);

		n8n.emulator.behaviour.reset();
		expect((await n8n.rest.retryExecution(id)).runData.Paid.at(-1)?.executionStatus).toBe('success');
		// Only a worker of queue mode saves what the node had when it was stopped.
		expect(rows.paid().slice(0, 2)).toEqual(n8n.workers.length > 0 ? [1, 1] : [2, 2]);
	});

	it('is everything when n8n is restarted and the run ends in time', async () => {
		n8n.emulator.behaviour.set(CHAT, { latencyMs: 300 });
		const workflowId = await rows.start();
		await n8n.emulator.journal.until(2, CHAT, 60_000);
		await n8n.restart();
		expect((await rows.ended(workflowId)).status).toBe('success');
		expect(rows.paid()).toEqual(once);
	});
});
