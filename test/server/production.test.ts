import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

import { callWebhook } from '../../tools/host/webhook';
import { CHAT, ROWS } from '../integration/paidOnce/rows';
import { PaidRows } from './paidRows';
import { RowsOverWorkers } from './rowsOverWorkers';
import { PAID, sourceRows } from './resumableBatch';
import { useServer } from './useServer';

/** What survives what in production; the results are in docs/scaling.md. These tests need `--production`. */

const n8n = useServer();
const paidRows = new PaidRows(n8n);
const once = ROWS.map(() => 1);

/** Which worker runs the newest execution of a workflow. */
async function workerOf(workflowId: string): Promise<number> {
	const execution = await n8n.rest.newestExecution(workflowId);
	const logs = await Promise.all(n8n.workers.map(async ({ logFile }) => await readFile(logFile, 'utf8')));
	return logs.findIndex((log) => log.includes(`Worker started execution ${execution?.id} `));
}

/** The status of the newest execution of a workflow once it is neither queued nor running. */
async function settled(workflowId: string, withinMs: number): Promise<string> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		// While PostgreSQL or the main process restarts, n8n does not answer.
		const newest = await n8n.rest.newestExecution(workflowId).catch(() => undefined);
		const status = newest?.status ?? 'new';
		if (!['new', 'running'].includes(status) || Date.now() > deadline) return status;
		await sleep(500);
	}
}

/** Starts rows whose requests take a second each, and waits until the gateway has received some of them. */
async function underWay(settings?: Record<string, unknown>): Promise<string> {
	n8n.emulator.behaviour.set(CHAT, { latencyMs: 1_000 });
	const workflowId = await paidRows.start({ settings });
	await n8n.emulator.journal.until(3, CHAT, 60_000);
	return workflowId;
}

afterEach(() => {
	n8n.emulator.behaviour.reset();
	n8n.emulator.journal.clear();
});

describe('A worker that is killed in mid-batch', () => {
	it.each([false, true])('pays nothing twice, with Save Execution Progress %s', async (isSaved) => {
		const workflowId = await underWay({ saveExecutionProgress: isSaved });
		const worker = await workerOf(workflowId);
		await n8n.workers[worker].kill();
		const sent = n8n.emulator.journal.count(CHAT);
		const status = await settled(workflowId, 240_000);
		console.log('killed', isSaved, status, sent, paidRows.paid());
		expect(status).toBe('error');
		expect(n8n.emulator.journal.count(CHAT)).toBe(sent);
		n8n.workers[worker] = await n8n.workers[worker].startAgain();
		n8n.emulator.journal.clear();
		expect((await paidRows.run()).status).toBe('success');
		expect(paidRows.paid()).toEqual(once);
	});
});

describe('A batch', () => {
	it('survives a restart of Redis', async () => {
		const workflowId = await underWay();
		await n8n.redis?.restart();
		const status = await settled(workflowId, 120_000);
		console.log('redis', status, paidRows.paid());
		expect(paidRows.paid()).toEqual(once);
		n8n.emulator.journal.clear();
		expect((await paidRows.run()).status).toBe('success');
		expect(paidRows.paid()).toEqual(once);
	});

	it('survives a restart of PostgreSQL', async () => {
		const workflowId = await underWay();
		await n8n.postgres?.restart();
		const status = await settled(workflowId, 120_000);
		console.log('postgres', status, paidRows.paid());
		expect(paidRows.paid()).toEqual(once);
		n8n.emulator.journal.clear();
		expect((await paidRows.run()).status).toBe('success');
		expect(paidRows.paid()).toEqual(once);
	});

	it('survives a restart of the main process', async () => {
		const workflowId = await underWay();
		await n8n.server.kill();
		await n8n.server.startAgain();
		const status = await settled(workflowId, 120_000);
		console.log('main', status, paidRows.paid());
		expect(paidRows.paid()).toEqual(once);
	});
});

describe('Executions on several workers', () => {
	it('share the limit of a gateway, and every row is paid for once', async () => {
		const limit = { requests: 5, perMs: 1_000, retryAfter: 'seconds' as const };
		n8n.emulator.behaviour.set(CHAT, { latencyMs: 100, limit });
		const rowsOf = (name: string) => Array.from({ length: 30 }, (_, index) => `${name} row ${index}`);
		const ids = await Promise.all(
			['First', 'Second'].map(
				async (name) => await paidRows.start({ rows: rowsOf(name), maxConcurrency: 10 }),
			),
		);
		const statuses = await Promise.all(ids.map(async (id) => await settled(id, 120_000)));
		expect(statuses).toEqual(['success', 'success']);
		console.log('limit', await Promise.all(ids.map(workerOf)), n8n.emulator.journal.count(CHAT));
		const entries = n8n.emulator.journal.entries(CHAT).filter(({ carriedOut }) => carriedOut);
		expect(entries).toHaveLength(60);
	});
});

describe('A thousand rows over three workers', () => {
	it('are finished by the resumable batch after one worker was killed, which is named', async () => {
		const rows = sourceRows(1_000);
		const batch = new RowsOverWorkers(n8n);
		await batch.prepare();
		n8n.emulator.behaviour.set(PAID, { latencyMs: [300, 900] });
		await batch.start(rows, 50);
		await n8n.emulator.journal.until(300, PAID, 120_000);
		const [victim] = n8n.workers;
		await victim.kill();
		const states = await batch.settled(300_000);
		console.log('thousand', states, n8n.emulator.journal.count(PAID), (await batch.done()).length);
	});
});
void callWebhook;
