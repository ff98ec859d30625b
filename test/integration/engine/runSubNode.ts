import {
	NodeConnectionTypes,
	type AINodeConnectionType,
	type IExecuteFunctions,
	type INode,
	type INodeParameters,
	type ITaskData,
} from 'n8n-workflow';
import { inLists } from '../../../tools/engine/inLists';
import { nodeTypes } from './nodeTypes';
import { runWorkflow, type RunOptions } from './runWorkflow';
import { testNode } from './testNode';

const CONNECTIONS = {
	chatModel: NodeConnectionTypes.AiLanguageModel,
	embeddingsModel: NodeConnectionTypes.AiEmbedding,
	rerankerModel: NodeConnectionTypes.AiReranker,
} satisfies Record<string, AINodeConnectionType>;

export interface SubNodeRun<T> {
	/** The value that `use` returned; undefined if it threw. */
	value: T | undefined;
	/** The error that stopped the run, if any. */
	error: (Error & { description?: string | null; functionality?: string }) | undefined;
	/** The runs of the sub-node in the execution. */
	runs: ITaskData[];
	/** The whole execution, as JSON. */
	saved: string;
}

/**
 * Runs a sub-node in n8n's engine, connected to a node that calls `use` with what the sub-node supplies. `use` also
 * gets a function that makes the sub-node supply again, as agents do in every turn.
 */
export async function runSubNode<Supplied, T>(
	type: keyof typeof CONNECTIONS,
	parameters: INodeParameters,
	use: (supplied: Supplied, again: () => Promise<Supplied>) => Promise<T>,
	options: RunOptions,
): Promise<SubNodeRun<T>> {
	const connection = CONNECTIONS[type];
	let value: T | undefined;
	const inputs = [NodeConnectionTypes.Main, { type: connection, maxConnections: 1, required: true }];
	const user = testNode(
		{ inputs, outputs: [NodeConnectionTypes.Main] },
		{
			async execute(this: IExecuteFunctions) {
				const supply = async () => (await this.getInputConnectionData(connection, 0)) as Supplied;
				value = await use(await supply(), supply);
				return [[{ json: {} }]];
			},
		},
	);
	const node = (name: string, nodeType: string, nodeParameters: INodeParameters): INode => ({
		id: name,
		name,
		type: `n8n-nodes-unified-ai-gateway.${nodeType}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: inLists(nodeTypes[`n8n-nodes-unified-ai-gateway.${nodeType}`]?.description, nodeParameters),
		credentials: { unifiedAiGatewayApi: { id: '1', name: 'Test' } },
	});
	const result = await runWorkflow(
		{
			nodes: [node('User', 'user', {}), node('Sub', type, parameters)],
			connections: { Sub: { [connection]: [[{ node: 'User', type: connection, index: 0 }]] } },
		},
		{ ...options, nodeTypes: { user } },
	);
	const { runData } = result.run.data.resultData;
	return { value, error: result.error, runs: runData.Sub ?? [], saved: result.saved };
}
