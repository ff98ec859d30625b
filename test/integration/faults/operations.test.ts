import { nodeTypes } from '../engine/runWorkflow';
import { operationCases, operationsOf } from './operations';

it('The table of operations has every operation of every node', () => {
	const known = operationCases.map(({ node, operation }) => `${node}.${operation}`);
	// Sub-nodes run inside another node.
	const nodes = Object.entries(nodeTypes).filter(([, node]) => !('supplyData' in node));
	const offered = nodes.flatMap(([type, node]) =>
		operationsOf(node).map((operation) => `${type.split('.').at(-1)}.${operation}`),
	);
	expect(offered.filter((operation) => !known.includes(operation))).toEqual([]);
});
