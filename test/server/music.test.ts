import { setTimeout as sleep } from 'node:timers/promises';

import type { Workflow } from '../../tools/host/n8nTypes';
import { callWebhook } from '../../tools/host/webhook';
import { useServer } from './useServer';
import { itemsOf } from './workflows';

const n8n = useServer();
const hourMs = 3_600_000;
const titles = ['First Snow', 'Morning Train', '茶馆'];

/** The example, started by a call, with the shortest wait that n8n stores. */
async function durableWait(): Promise<Workflow> {
	const workflow = n8n.prepare(await n8n.example('Songs from a list'));
	const changed: Record<string, object> = {
		Start: {
			type: 'n8n-nodes-base.webhook',
			webhookId: '7a1c2f40-51d2-4b7e-8a10-2c9d5e6d0002',
			parameters: { httpMethod: 'POST', path: 'songs', responseMode: 'onReceived' },
		},
		Wait: { parameters: { amount: 66, unit: 'seconds' } },
	};
	return { ...workflow, nodes: workflow.nodes.map((node) => ({ ...node, ...changed[node.name] })) };
}

/** In production, only the main process is restarted, which wakes the executions that wait. */
async function restart(): Promise<void> {
	if (!n8n.postgres) return await n8n.restart();
	await n8n.server.kill();
	await n8n.server.startAgain();
}

/** Waits until the newest execution of the workflow has the given status; returns its ID. */
async function waitForStatus(workflowId: string, status: string, timeoutMs: number): Promise<string> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const newest = await n8n.rest.newestExecution(workflowId);
		if (newest?.status === status) return newest.id;
		if (Date.now() > deadline) throw new Error(`The execution is "${newest?.status}", not "${status}".`);
		await sleep(500);
	}
}

describe('Example "Songs from a list"', () => {
	it('asks again for what could not be checked, and says why a song is missing', async () => {
		const { emulator } = n8n;
		emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: 0, failWhen: '老街' } });
		const failing = { kind: 'status', status: 503, times: 2 } as const;
		emulator.behaviour.set('GET /v1/music/tasks/*', { faults: [failing] });
		const workflow = n8n.prepare(await n8n.example('Songs from a list'));
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Get songs'
				? { ...node, parameters: { ...node.parameters, limits: { maxRetries: 0 } } }
				: node,
		);
		const id = await n8n.rest.saveWorkflow({ ...workflow, nodes });
		const execution = await n8n.rest.runWorkflow(id, 'Start', 120_000);
		expect(execution.status).toBe('success');
		expect(execution.runData['Get songs']).toHaveLength(2);
		const finished = itemsOf(execution, 'Finished songs').map(({ json }) => json?.['ordered title']);
		expect(finished.sort()).toEqual(titles.slice(0, 2).flatMap((title) => [title, title]));
		expect(itemsOf(execution, 'Unfinished songs').map(({ json }) => json)).toEqual([
			{
				title: '茶馆',
				taskId: emulator.tasks.all().at(-1)?.id,
				reason: expect.stringContaining('The gateway could not finish the task'),
			},
		]);
	});

	it('keeps waiting through a restart of n8n and links each song to its source item', async () => {
		const { emulator } = n8n;
		emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: hourMs } });
		const before = emulator.tasks.all().length;
		const workflowId = await n8n.rest.saveWorkflow(await durableWait());
		await n8n.rest.publish(workflowId);
		expect((await callWebhook(`${n8n.webhookUrl}/webhook/songs`, {})).status).toBe(200);
		const id = await waitForStatus(workflowId, 'waiting', 30_000);
		const tasks = emulator.tasks.all().slice(before);
		expect(tasks.map(({ request }) => request.title)).toEqual(titles);

		emulator.journal.clear();
		await restart();
		// On a busy machine, the wait ends while n8n starts. Then the tasks are polled, and the workflow waits again.
		expect(await waitForStatus(workflowId, 'waiting', 60_000)).toBe(id);
		const polls = () => emulator.journal.count('GET /v1/music/tasks/*');
		const pollsBefore = polls();
		emulator.tasks.advance(2 * hourMs);

		await waitForStatus(workflowId, 'success', 240_000);
		const execution = await n8n.rest.execution(id);
		const songs = itemsOf(execution, 'Get songs', 'main', -1);
		expect(songs.map(({ json }) => [json.taskId, json.title, json.track])).toEqual(
			tasks.flatMap((task) => [1, 2].map((track) => [task.id, task.request.title, track])),
		);
		// The ordered titles come from the source items, through the item links.
		const finished = itemsOf(execution, 'Finished songs', 'main', -1);
		expect(finished.map(({ json, binary }) => [json['ordered title'], binary.data.mimeType])).toEqual(
			titles.flatMap((title) => [1, 2].map(() => [title, 'audio/mpeg'])),
		);
		expect(emulator.journal.count('POST /v1/music/generations')).toBe(0);
		expect(polls() - pollsBefore).toBe(3);
	});
});
