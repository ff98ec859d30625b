import { setTimeout as sleep } from 'node:timers/promises';

import { isReady } from '../../tools/host/server';
import { CHAT, ROWS } from '../integration/paidOnce/rows';
import { PaidRows } from './paidRows';
import { useServer } from './useServer';
import { executionsOf } from './workflows';

/** What survives what in production; the results are in docs/scaling.md. These tests need `--production`. */

const n8n = useServer();
const paidRows = new PaidRows(n8n);
const once = ROWS.map(() => 1);

/** Which worker runs the newest execution of a workflow. */
async function workerOf(workflowId: string): Promise<number> {
	const execution = await n8n.rest.newestExecution(workflowId);
	const perWorker = await Promise.all(n8n.workers.map(({ logFile }) => executionsOf(logFile)));
	return perWorker.findIndex((ids) => ids.includes(execution?.id ?? ''));
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

describe('A worker that is killed in mid-batch', () => {
	it.each([false, true])(
		'sends nothing twice, and the execution ends as failed, with Save Execution Progress %s',
		async (saveExecutionProgress) => {
			const workflowId = await underWay({ saveExecutionProgress });
			const worker = await workerOf(workflowId);
			await n8n.workers[worker].kill();
			const sent = n8n.emulator.journal.count(CHAT);
			// Another worker notices that the execution is gone; n8n does not start it again.
			expect(await settled(workflowId, 300_000)).toBe('error');
			expect(n8n.emulator.journal.count(CHAT)).toBe(sent);
			expect(Math.max(...paidRows.paid())).toBe(1);
			n8n.workers[worker] = await n8n.workers[worker].startAgain();
		},
	);
});

describe('A batch', () => {
	/** Something restarts while rows are under way; then another batch runs. */
	async function survives(restart: () => Promise<unknown>): Promise<void> {
		const workflowId = await underWay();
		await restart();
		expect(await settled(workflowId, 300_000)).toBe('success');
		expect(paidRows.paid()).toEqual(once);

		n8n.emulator.behaviour.reset();
		n8n.emulator.journal.clear();
		expect(await settled(await paidRows.start(), 120_000)).toBe('success');
		expect(paidRows.paid()).toEqual(once);
	}

	it('survives a restart of Redis', async () => await survives(async () => await n8n.redis?.restart()));

	it('survives a restart of PostgreSQL', async () => {
		await survives(async () => {
			await n8n.postgres?.restart();
			// n8n refuses calls until it has found the database again.
			while (!(await isReady(n8n.server.url)) || !(await isReady(n8n.webhookUrl))) await sleep(500);
		});
	});

	it('survives the end of the main process', async () => {
		await survives(async () => {
			await n8n.server.kill();
			await n8n.server.startAgain();
		});
	});
});

describe('Two executions with the same credential', () => {
	it('run on two workers under one limit of the gateway, and every row is paid for once', async () => {
		const limit = { requests: 5, perMs: 1_000, retryAfter: 'seconds' as const };
		n8n.emulator.behaviour.set(CHAT, { latencyMs: 100, limit });
		const rowsOf = (name: string) => Array.from({ length: 30 }, (_, index) => `${name} row ${index}.`);
		const names = ['First', 'Second'];
		const ids = await Promise.all(
			names.map(async (name) => await paidRows.start({ rows: rowsOf(name), parallelRequests: 10 })),
		);
		expect(await Promise.all(ids.map(async (id) => await settled(id, 300_000)))).toEqual([
			'success',
			'success',
		]);
		expect(new Set(await Promise.all(ids.map(workerOf))).size).toBe(2);
		const paid = n8n.emulator.journal.entries(CHAT).filter(({ carriedOut }) => carriedOut);
		const bodies = paid.map(({ body }) => JSON.stringify(body));
		const times = names.flatMap(rowsOf).map((row) => bodies.filter((body) => body.includes(row)).length);
		expect(times).toEqual(times.map(() => 1));
	});
});
