import './environment';
import type { Readable } from 'node:stream';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService, ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	NodeHelpers,
	Workflow,
	type ExecutionError,
	type IBinaryData,
	type IConnections,
	type ICredentialDataDecryptedObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
	type StructuredChunk,
} from 'n8n-workflow';
import { executionContext, startAt } from '../../../tools/engine/execution';
import { inLists } from '../../../tools/engine/inLists';
import { TestCredentials } from './credentials';
import { nodeTypes, PACKAGE } from './nodeTypes';

/** A workflow in n8n's export format, with only the fields that the engine needs. */
export interface WorkflowJson {
	nodes: INode[];
	connections: IConnections;
	settings?: Record<string, unknown>;
}

export interface RunResult {
	/** The items of the last node, by output. */
	outputs: INodeExecutionData[][];
	/** The items of the first output. */
	items: INodeExecutionData[];
	/** The error that stopped the run, if any. */
	error: ExecutionError | undefined;
	hints: string[];
	/** The data of the whole execution, as JSON, in which it would be saved. */
	saved: string;
	run: IRun;
}

export interface RunOptions {
	credential: ICredentialDataDecryptedObject;
	/** The items that the first node receives. */
	input?: INodeExecutionData[];
	/** Runs the workflow under a streaming trigger, and receives each chunk that goes to the caller. */
	onChunk?: (chunk: StructuredChunk) => void;
	/** Node types that replace those of the package, by their internal names. */
	nodeTypes?: Record<string, INodeType>;
	/** Receives a function that cancels the execution like the stop button. */
	onStart?: (cancel: () => void, signal: AbortSignal) => void;
	/** Called when the engine has ended, before the results are collected. */
	onEnd?: () => void;
	/** The ID of the execution; default: the same for all executions. */
	executionId?: string;
	/** Default: `manual`. */
	mode?: WorkflowExecuteMode;
}

/** Runs a workflow in n8n's engine like the server, starting with its first node. */
export async function runWorkflow(json: WorkflowJson, options: RunOptions): Promise<RunResult> {
	const [first] = json.nodes;
	const runData = createRunExecutionData(startAt(first, options.input ?? [{ json: {} }]));
	return await execute(json, runData, options);
}

/** Resumes an execution that was put to wait, from the data that the server would have saved. */
export async function resumeWorkflow(
	json: WorkflowJson,
	{ run }: RunResult,
	options: RunOptions,
): Promise<RunResult> {
	// As on the server, objects that were one are one again afterwards, and the workflow's own nodes are others.
	return await execute(json, structuredClone(run.data), options);
}

async function execute(
	json: WorkflowJson,
	runData: IRunExecutionData,
	options: RunOptions,
): Promise<RunResult> {
	await initialise();
	const types: Record<string, INodeType> = { ...nodeTypes };
	for (const [name, type] of Object.entries(options.nodeTypes ?? {})) types[`${PACKAGE}.${name}`] = type;
	const workflow = new Workflow({
		id: 'test-workflow',
		name: 'test',
		nodes: json.nodes,
		connections: json.connections,
		active: false,
		settings: { executionOrder: 'v1', ...json.settings },
		nodeTypes: {
			getByName: (type) => types[type],
			getByNameAndVersion: (type) => NodeHelpers.getVersionedNodeType(types[type]),
			getKnownTypes: () => ({}),
		},
	});
	const { onChunk, executionId = 'test-execution', mode = 'manual' } = options;
	const hooks = new ExecutionLifecycleHooks(mode, executionId, {
		id: 'test-workflow',
		name: 'test',
		nodes: json.nodes,
		connections: json.connections,
		active: false,
	} as unknown as ConstructorParameters<typeof ExecutionLifecycleHooks>[2]);
	if (onChunk) hooks.addHandler('sendChunk', async (chunk) => onChunk(chunk));
	const additionalData = {
		...executionContext(executionId),
		streamingEnabled: onChunk !== undefined,
		credentialsHelper: new TestCredentials(options.credential),
		hooks,
	} as unknown as IWorkflowExecuteAdditionalData;
	const engine = new WorkflowExecute(additionalData, mode, runData);
	const execution = engine.processRunExecutionData(workflow);
	options.onStart?.(() => execution.cancel(), signalOf(engine));
	const run = await execution;
	options.onEnd?.();
	return summarise(run, json);
}

/** Returns the signal that tells the nodes of an execution to stop. */
function signalOf(engine: WorkflowExecute): AbortSignal {
	return (engine as unknown as { abortController: AbortController }).abortController.signal;
}

function summarise(run: IRun, json: WorkflowJson): RunResult {
	const { resultData } = run.data;
	const last = json.nodes[json.nodes.length - 1].name;
	const task = resultData.runData[last]?.at(-1);
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	return {
		outputs,
		items: outputs[0] ?? [],
		error: resultData.error,
		hints: (task?.hints ?? []).map(({ message }) => message),
		saved: JSON.stringify(run.data),
		run,
	};
}

/**
 * Returns a workflow of one node of this package.
 *
 * @param type its internal name, for example `voiceModel`
 * @param parameters with all options in `options`
 */
export function oneNode(
	type: string,
	parameters: INodeParameters,
	settings: Partial<INode> = {},
): WorkflowJson {
	const node: INode = {
		id: 'node',
		name: 'Node',
		type: `${PACKAGE}.${type}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: inLists(nodeTypes[`${PACKAGE}.${type}`]?.description, parameters),
		credentials: { unifiedAiGatewayApi: { id: '1', name: 'Test' } },
		...settings,
	};
	return { nodes: [node], connections: {} };
}

/** Returns the bytes of a file in n8n's binary store. */
export async function fileBytes(file: IBinaryData): Promise<Buffer> {
	return await Container.get(BinaryDataService).getAsBuffer(file);
}

/** Stores a file in n8n's binary store, and returns it in the form in which an item holds it. */
export async function storedFile(
	content: Buffer | Readable,
	fileName: string,
	mimeType = 'application/octet-stream',
): Promise<IBinaryData> {
	await initialise();
	return await Container.get(BinaryDataService).store(
		{ type: 'execution', workflowId: 'test-workflow', executionId: 'test-execution' },
		content,
		{ data: '', fileName, mimeType },
	);
}

let initialised: Promise<void> | undefined;

async function initialise(): Promise<void> {
	initialised ??= (async () => {
		Container.get(BinaryDataConfig).mode = 'filesystem';
		await Container.get(BinaryDataService).init();
	})();
	await initialised;
}
