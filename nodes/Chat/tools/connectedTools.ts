import { type IExecuteFunctions, NodeConnectionTypes } from 'n8n-workflow';
import { hostFailure } from '../../shared/failure/failure';
import type { Call } from '../../shared/run/call';
import { asRecord } from '../../shared/plain/values';
import { functionsOf, type Tool } from '../formats/functions';
import { loadSdk } from '../sdk';

export interface ConnectedTool {
	definition: Tool;
	/** Carries out a call. @throws what the tool throws */
	invoke: (input: Record<string, unknown>) => Promise<unknown>;
}

/** The part of a LangChain tool that this package uses. */
interface LangChainTool {
	name: string;
	description?: string;
	/** A zod schema or a JSON Schema. */
	schema: unknown;
	invoke(input: Record<string, unknown>): Promise<unknown>;
}

/**
 * Returns the tools that are connected to the node, including those of toolkits. All items of a run share them: n8n
 * finds the arguments of a tool node by the number of its run, which two sets of the same tools would both count.
 */
export async function connectedTools(call: Call): Promise<ConnectedTool[]> {
	return await call.oncePerRun(['tools'], async () => await suppliedTools(call));
}

const { AiTool } = NodeConnectionTypes;

async function suppliedTools({ context, node, itemIndex }: Call): Promise<ConnectedTool[]> {
	const connected = context.getParentNodes(node.name, { connectionType: AiTool, depth: 1 });
	if (connected.length === 0) return [];
	const tools = await toolsFrom(context, itemIndex);
	const definitions = functionsOf(tools, (inputSchema, { name }) =>
		loadSdk('tools of Unified AI Chat').getParametersJsonSchema({ type: 'function', name, inputSchema }),
	);
	return tools.map((tool, index) => ({
		definition: definitions[index],
		invoke: async (input) => await tool.invoke(input),
	}));
}

/** Gets the tools of other nodes. Errors that they throw are theirs. */
async function toolsFrom(context: IExecuteFunctions, itemIndex: number): Promise<LangChainTool[]> {
	try {
		return [await context.getInputConnectionData(AiTool, itemIndex)].flat(2).flatMap(toolsIn);
	} catch (error) {
		throw hostFailure(error);
	}
}

function toolsIn(supplied: unknown): LangChainTool[] {
	const { tools, getTools } = (asRecord(supplied) ?? {}) as { tools?: unknown; getTools?: () => unknown };
	const inside = typeof getTools === 'function' ? getTools.call(supplied) : tools;
	if (Array.isArray(inside)) return inside.flatMap(toolsIn);
	return isTool(supplied) ? [supplied] : [];
}

function isTool(value: unknown): value is LangChainTool {
	const { name, invoke } = (asRecord(value) ?? {}) as Partial<LangChainTool>;
	return typeof name === 'string' && typeof invoke === 'function';
}
