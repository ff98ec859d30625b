import { NodeConnectionTypes, type IConnections, type IExecuteFunctions } from 'n8n-workflow';
import { GatewayFailure } from '../../shared/errors/gatewayFailure';

/** Output that leads back to the node's own input. */
export const CHECK_AGAIN = 0;

/** Whether what leaves `node` through "Check Again" comes back to it, directly or through other nodes. */
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

/**
 * Makes sure that the loop is wired: without it n8n would end the execution at the first long wait and lose the songs.
 *
 * @throws GatewayFailure (kind `settings`)
 */
export function requireLoop(context: IExecuteFunctions): void {
	const { name } = context.getNode();
	const connections = connectionsOf(context);
	const wired = connections
		? isLoopWired(connections, name)
		: context.getChildNodes(name).some((child) => child.name === name);
	if (wired) return;
	throw loopMissing(name);
}

/** n8n offers the workflow's connections to nodes only on the object behind its interface. */
function connectionsOf(context: IExecuteFunctions): IConnections | undefined {
	const { workflow } = context as { workflow?: { connectionsBySourceNode?: IConnections } };
	return workflow?.connectionsBySourceNode;
}

function loopMissing(name: string): GatewayFailure {
	return new GatewayFailure(
		'settings',
		`The output "Check Again" of "${name}" does not lead back to its input`,
		'Draw a connection from "Check Again" to the input of this same node, and connect what comes next to "Done". Nothing was asked of the gateway yet, and the tasks go on there.',
		{ attempts: 0 },
	);
}
