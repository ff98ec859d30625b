import type { Execution, Workflow, WorkflowNode } from '../../tools/host/n8nTypes';
import { callWebhook } from '../../tools/host/webhook';
import { connectInOrder, workflowNode } from '../../tools/host/workflowBuilder';
import { CHAT, markOf, ROWS, textOf } from '../integration/paidOnce/rows';
import type { ServerUnderTest } from './useServer';

/** The differences between the workflows of the tests. */
export interface Differences {
	node?: Partial<WorkflowNode>;
	settings?: Record<string, unknown>;
	/** A node that follows the paid one. */
	later?: WorkflowNode;
	isImage?: boolean;
	/** The texts of the rows, if they are not the usual seven. */
	rows?: string[];
	/** The number of requests that the node sends at the same time; default: 1. */
	parallelRequests?: number;
}

/** Workflows that receive rows through a webhook and send one paid request for each of them. */
export class PaidRows {
	private lastNumber = 0;

	constructor(private readonly n8n: ServerUnderTest) {}

	/** Starts a workflow and returns its ID. */
	async start(differences: Differences = {}): Promise<string> {
		const { n8n } = this;
		const path = `paid-rows-${(this.lastNumber += 1)}`;
		const id = await n8n.rest.saveWorkflow(this.workflow(path, differences));
		await n8n.rest.publish(id);
		const rows = (differences.rows ?? ROWS.map((row) => textOf(row))).map((text) => ({ text }));
		const response = await callWebhook(`${n8n.webhookUrl}/webhook/${path}`, { rows });
		expect(response.status).toBe(200);
		return id;
	}

	/** Runs a workflow until its execution has ended. */
	async run(differences?: Differences): Promise<Execution> {
		return await this.ended(await this.start(differences));
	}

	/** Waits until the execution of a workflow has ended, and returns it. */
	async ended(workflowId: string): Promise<Execution> {
		const execution = await this.n8n.rest.lastExecution(workflowId);
		if (!execution) throw new Error('The execution has not ended.');
		return execution;
	}

	/** Returns the number of times that each of the usual rows was paid for. */
	paid(route = CHAT): number[] {
		const requests = this.n8n.emulator.journal.entries(route).filter(({ carriedOut }) => carriedOut);
		return ROWS.map(
			(row) => requests.filter(({ body }) => JSON.stringify(body).includes(markOf(row))).length,
		);
	}

	private workflow(
		path: string,
		{ node, settings, later, isImage, parallelRequests = 1 }: Differences,
	): Workflow {
		const { packageName, credential } = this.n8n;
		const model = { __rl: true, mode: 'id', value: isImage ? 'image-2' : 'aurora-4' };
		const webhook = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
		const split = { fieldToSplitOut: 'body.rows', options: {} };
		const parameters = {
			operation: isImage ? 'generate' : 'chatCompletion',
			model,
			prompt: '={{ $json.text }}',
			limits: { parallelRequests },
		};
		const nodes = [
			workflowNode('Rows come in', 'n8n-nodes-base.webhook', 2.1, webhook, { webhookId: path }),
			workflowNode('One item per row', 'n8n-nodes-base.splitOut', 1, split),
			workflowNode('Paid', `${packageName}.${isImage ? 'image' : 'chat'}`, 1, parameters, {
				credentials: { unifiedAiGatewayApi: credential },
				...node,
			}),
			...(later ? [later] : []),
		];
		return {
			name: path,
			nodes,
			connections: connectInOrder(nodes),
			settings: { executionOrder: 'v1', ...settings },
		};
	}
}
