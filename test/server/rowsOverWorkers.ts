import { setTimeout as sleep } from 'node:timers/promises';

import type { Workflow } from '../../tools/host/n8nTypes';
import { callWebhook } from '../../tools/host/webhook';
import { workflowNode } from '../../tools/host/workflowBuilder';
import { PAID, ResumableBatch, sourceRows, type RecordedRow, type SourceRow } from './resumableBatch';
import type { ServerUnderTest } from './useServer';

const path = 'rows-over-workers';

/** The example "Resumable batch" with a webhook that gets its rows, so that several executions share the work. */
export class RowsOverWorkers {
	private id = '';

	constructor(private readonly n8n: ServerUnderTest) {}

	/** Creates the data table, by a run of the example with a row of its own, and publishes the workflow. */
	async prepare(loopBatchSize = 10): Promise<void> {
		const { n8n } = this;
		const batch = new ResumableBatch(n8n);
		await batch.use(sourceRows(0));
		await batch.run();
		const example = n8n.prepare(await n8n.example('Resumable batch'));
		const webhook = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
		const changes: Record<string, Record<string, unknown>> = {
			'Sample rows': { jsonOutput: "={{ JSON.stringify($('Start').first().json.body) }}" },
			'Loop over rows': { batchSize: loopBatchSize },
		};
		const nodes = example.nodes.map((node) =>
			node.name === 'Start'
				? workflowNode('Start', 'n8n-nodes-base.webhook', 2.1, webhook, { webhookId: path })
				: { ...node, parameters: { ...node.parameters, ...changes[node.name] } },
		);
		const workflow: Workflow = { ...example, name: path, nodes };
		this.id = await n8n.rest.saveWorkflow(workflow);
		await n8n.rest.publish(this.id);
	}

	/** Starts one execution for each batch of rows. */
	async start(rows: SourceRow[], size: number): Promise<void> {
		for (let first = 0; first < rows.length; first += size) {
			const body = { rows: rows.slice(first, first + size) };
			const response = await callWebhook(`${this.n8n.webhookUrl}/webhook/${path}`, body);
			if (!response.ok) throw new Error(`The webhook answered ${response.status}.`);
		}
	}

	/** The statuses of the executions by their IDs, once none is queued or running. */
	async settled(withinMs: number): Promise<Map<string, string>> {
		const deadline = Date.now() + withinMs;
		for (;;) {
			const all = await this.n8n.rest.executions(this.id);
			const isSettled = all.every(({ status }) => !['new', 'running'].includes(status));
			if (isSettled || Date.now() > deadline) return new Map(all.map(({ id, status }) => [id, status]));
			await sleep(1_000);
		}
	}

	/** How often each row was paid for. */
	paidTimes(rows: SourceRow[]): number[] {
		const times = new Map<unknown, number>();
		for (const { body } of this.n8n.emulator.journal.entries(PAID)) {
			const { prompt } = body as { prompt?: string };
			times.set(prompt, (times.get(prompt) ?? 0) + 1);
		}
		return rows.map(({ prompt }) => times.get(prompt) ?? 0);
	}

	/** The rows of the table that have a result. */
	async done(): Promise<RecordedRow[]> {
		const rows = (await this.n8n.rest.dataTableRows('Resumable image batch')) as unknown as RecordedRow[];
		return rows.filter(({ status }) => status === 'done');
	}
}
