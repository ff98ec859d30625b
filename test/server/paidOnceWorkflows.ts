import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { type Emulator, startEmulator } from '../../emulator';
import type { Credential, Execution, Workflow, WorkflowNode } from '../../tools/host/n8nTypes';
import { inLists } from '../../tools/engine/inLists';
import { callWebhook } from '../../tools/host/webhook';
import { connectInOrder, workflowNode } from '../../tools/host/workflowBuilder';
import { nodeTypes } from '../integration/engine/runWorkflow';
import { comparable } from '../integration/paidOnce/comparable';
import { PaidGateway } from '../integration/paidOnce/paidGateway';
import { type PaidCase, ROWS, TEXT, textOf } from '../integration/paidOnce/rows';
import { apiKey, type ServerUnderTest } from './useServer';

const NODE = 'Paid';
let lastNumber = 0;

/** Runs and retries of the rows of a case in a real n8n, against a gateway of its own. */
export class PaidWorkflow extends PaidGateway {
	private workflowId = '';
	private executionId = '';
	private readonly path = `paid-once-${(lastNumber += 1)}`;
	private settings: Partial<WorkflowNode> = {};

	private constructor(
		private readonly n8n: ServerUnderTest,
		paidCase: PaidCase,
		emulator: Emulator,
		private readonly credential: Credential,
	) {
		super(paidCase, emulator);
		this.hasQuickSongs = true;
	}

	static async of(n8n: ServerUnderTest, paidCase: PaidCase): Promise<PaidWorkflow> {
		const emulator = await startEmulator({ apiKey });
		const data = { baseUrl: emulator.url, apiKey };
		const name = `Gateway ${emulator.port}`;
		const credential = await n8n.rest.saveCredential(name, 'unifiedAiGatewayApi', data);
		const workflow = new PaidWorkflow(n8n, paidCase, emulator, credential);
		workflow.accept();
		return workflow;
	}

	/** Runs the workflow through its webhook. @param rows the texts of the rows */
	async start(
		options: object = {},
		settings: Partial<WorkflowNode> = {},
		rows = ROWS.map(textOf),
	): Promise<Execution> {
		this.settings = settings;
		this.workflowId = await this.n8n.rest.saveWorkflow(this.workflow(TEXT, options));
		await this.n8n.rest.publish(this.workflowId);
		const audio = this.paidCase.binary?.one.data;
		const body = { rows: rows.map((text) => ({ text, audio })) };
		const response = await callWebhook(`${this.n8n.webhookUrl}/webhook/${this.path}`, body);
		if (!response.ok) throw new Error(`The webhook answered ${response.status}: ${await response.text()}`);
		const execution = await this.n8n.rest.lastExecution(this.workflowId);
		if (!execution) throw new Error('The execution has not ended.');
		this.executionId = execution.id;
		return execution;
	}

	/** Saves the workflow with another expression for the rows' text. */
	async edit(text: string): Promise<void> {
		await this.n8n.rest.saveWorkflow(this.workflow(text, {}), this.workflowId);
	}

	/** Retries the newest execution. */
	async retry(useSavedWorkflow = false): Promise<Execution> {
		const execution = await this.n8n.rest.retryExecution(this.executionId, useSavedWorkflow);
		this.executionId = execution.id;
		return execution;
	}

	/** The items that the node gave, without what differs from run to run. */
	async output(execution: Execution): Promise<unknown> {
		const outputs = execution.runData[NODE].at(-1)?.data?.main ?? [];
		return await comparable(
			outputs.map((items) => (items ?? []) as INodeExecutionData[]),
			async (file) => await this.digestOf(file),
			this.paidCase.chance,
		);
	}

	/** In queue mode, files are in the database, so only their size is compared. */
	private async digestOf({ id = '', fileSize = '' }: IBinaryData): Promise<string> {
		const [store, file] = id.split(/:(.*)/);
		if (!store.startsWith('filesystem')) return fileSize;
		const content = await readFile(path.join(storageOf(this.n8n.home), file));
		return createHash('sha256').update(content).digest('hex');
	}

	private workflow(text: string, options: object): Workflow {
		const { node, parameters, options: ownOptions, binary } = this.paidCase;
		const nodes = [
			workflowNode(
				'Rows come in',
				'n8n-nodes-base.webhook',
				2.1,
				{ httpMethod: 'POST', path: this.path, responseMode: 'onReceived', options: {} },
				{ webhookId: this.path },
			),
			workflowNode('One item per row', 'n8n-nodes-base.splitOut', 1, {
				fieldToSplitOut: 'body.rows',
				options: {},
			}),
			...(binary ? [recording] : []),
			workflowNode(
				NODE,
				`${this.n8n.packageName}.${node}`,
				1,
				inLists(nodeTypes[`n8n-nodes-unified-ai-gateway.${node}`].description, {
					simplify: true,
					...parameters(text),
					options: { ...ownOptions, ...options },
				}),
				{ credentials: { unifiedAiGatewayApi: this.credential }, ...this.settings },
			),
			workflowNode('After it', 'n8n-nodes-base.noOp', 1, {}),
		];
		return {
			name: `${this.paidCase.name} ${this.path}`,
			nodes,
			connections: connectInOrder(nodes),
			settings: { executionOrder: 'v1' },
		};
	}
}

/** Makes a file of the base64 in a row. */
const recording = workflowNode('Recording', 'n8n-nodes-base.moveBinaryData', 1, {
	mode: 'jsonToBinary',
	convertAllData: false,
	sourceKey: 'audio',
	destinationKey: 'one',
	options: { dataIsBase64: true, mimeType: 'audio/wav', fileName: 'sample.wav', keepSource: false },
});

/** Where n8n stores files; older versions call the folder by another name. */
function storageOf(home: string): string {
	const folders = ['storage', 'binaryData'].map((name) => path.join(home, 'user', '.n8n', name));
	return folders.find((folder) => existsSync(folder)) ?? folders[0];
}
