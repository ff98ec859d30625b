import { NodeConnectionTypes, type IConnections, type IExecuteFunctions } from 'n8n-workflow';
import { GatewayFailure } from '../../shared/errors/gatewayFailure';

/** Index of the "Check Again" output. */
const CHECK_AGAIN = 0;

/**
 * Requires the loop. Without it, n8n would end the execution at the first long wait and lose the songs.
 *
 * @throws GatewayFailure (kind `settings`) when "Check Again" does not lead back to the node
 */
export function requireLoop(context: IExecuteFunctions): void {
	const { name } = context.getNode();
	const connections = connectionsOf(context);
	const hasLoop = connections
		? isLoopWired(connections, name)
		: context.getChildNodes(name).some((child) => child.name === name);
	if (hasLoop) return;
	throw new GatewayFailure(
		'settings',
		`The "Check Again" output of "${name}" does not lead back to its input`,
		'Draw a connection from "Check Again" to the input of this same node, and connect "Done" to the next node. No request was sent to the gateway, and the tasks continue there.',
		{ attempts: 0 },
	);
}

/** Whether the "Check Again" output of `node` leads back to its input, directly or through other nodes. */
export function isLoopWired(connections: IConnections, node: string): boolean {
	const seen = new Set<string>();
	const open = targetsOf(connections, node, CHECK_AGAIN);
	for (let next = open.pop(); next !== undefined; next = open.pop()) {
		if (next === node) return true;
		if (seen.has(next)) continue;
		seen.add(next);
		open.push(...targetsOf(connections, next));
	}
	return false;
}

function targetsOf(connections: IConnections, node: string, onlyOutput?: number): string[] {
	const outputs = connections[node]?.[NodeConnectionTypes.Main] ?? [];
	return outputs
		.filter((_targets, output) => onlyOutput === undefined || output === onlyOutput)
		.flatMap((targets) => targets ?? [])
		.filter(({ type }) => type === NodeConnectionTypes.Main)
		.map((target) => target.node);
}

/** The connections of the workflow, which are not part of the interface that n8n offers to nodes. */
function connectionsOf(context: IExecuteFunctions): IConnections | undefined {
	const { workflow } = context as { workflow?: { connectionsBySourceNode?: IConnections } };
	return workflow?.connectionsBySourceNode;
}
