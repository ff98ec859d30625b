import { setTimeout as sleep } from 'node:timers/promises';

import type { Execution, ResultItem, Workflow } from '../../tools/host/n8nTypes';
import { callWebhook } from '../../tools/host/webhook';
import { mp3Frames } from '../integration/emulator/audioFiles';
import { useServer } from './useServer';

const n8n = useServer();
const hourMs = 3_600_000;
const titles = ['Alpha', 'Beta', 'Gamma'];

/** The example with the shortest interval at which the execution is saved as waiting. */
async function durableWait(): Promise<Workflow> {
	const workflow = n8n.prepare(await n8n.example('Durable music wait'));
	const nodes = workflow.nodes.map((node) =>
		node.name === 'Wait for songs'
			? { ...node, parameters: { ...node.parameters, options: { checkIntervalSeconds: 66 } } }
			: node,
	);
	return { ...workflow, nodes };
}

async function orderSongs(): Promise<Response> {
	const songs = titles.map((title) => ({ title, style: 'folk', lyrics: `Words of ${title}` }));
	return await callWebhook(`${n8n.webhookUrl}/webhook/songs`, { songs });
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

/** The items of a node's output in its last run. */
function itemsOf({ runData }: Execution, node: string, output: number): Array<Required<ResultItem>> {
	return (runData[node].at(-1)?.data?.main?.[output] ?? []) as Array<Required<ResultItem>>;
}

describe('Example "Songs from a list"', () => {
	it('generates the songs and their covers', async () => {
		const result = await n8n.runExample('Songs from a list');
		expect(result).toMatchObject({ succeeded: true, reason: undefined });
		const names = result.files.map(({ fileName }) => fileName);
		expect(names).toHaveLength(12);
		expect(names).toEqual(expect.arrayContaining(['First Snow 1.mp3', 'First Snow 2.png', '茶馆 2.mp3']));
		for (const { id } of result.files.filter(({ mimeType }) => mimeType === 'audio/mpeg')) {
			expect(mp3Frames(await n8n.rest.file(id)).seconds).toBeGreaterThan(10);
		}
	});
});

describe('Example "Durable music wait"', () => {
	it('keeps waiting through a restart of n8n and links each song to its source item', async () => {
		const { emulator } = n8n;
		emulator.behaviour.set('*', { music: { pendingMs: 0, processingMs: hourMs } });
		const before = emulator.tasks.all().length;
		const workflowId = await n8n.rest.saveWorkflow(await durableWait());
		await n8n.rest.publish(workflowId);
		expect((await orderSongs()).status).toBe(200);
		const id = await waitForStatus(workflowId, 'waiting', 30_000);
		const tasks = emulator.tasks.all().slice(before);
		expect(tasks.map(({ request }) => request.title)).toEqual(titles);

		emulator.journal.clear();
		await restart();
		expect((await n8n.rest.execution(id)).status).toBe('waiting');
		emulator.tasks.advance(2 * hourMs);

		await waitForStatus(workflowId, 'success', 240_000);
		const execution = await n8n.rest.execution(id);
		expect(execution.status).toBe('success');
		const done = itemsOf(execution, 'Wait for songs', 1);
		expect(done.map(({ json }) => [json.taskId, json.title, json.track])).toEqual(
			tasks.flatMap((task) => [1, 2].map((track) => [task.id, task.request.title, track])),
		);
		// The ordered titles come from the source items, through the item links.
		const finished = itemsOf(execution, 'Finished songs', 0);
		expect(finished.map(({ json, binary }) => [json['ordered title'], binary.data.mimeType])).toEqual(
			titles.flatMap((title) => [1, 2].map(() => [title, 'audio/mpeg'])),
		);
		expect(emulator.journal.count('POST /v1/music/generations')).toBe(0);
		expect(emulator.journal.count('GET /v1/music/tasks/*')).toBe(3);
	});
});
