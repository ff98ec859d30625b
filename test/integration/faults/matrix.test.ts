import tls from 'node:tls';
import { takesAllCases } from '../../allCases';
import { nodeTypes } from '../engine/runWorkflow';
import { LOCALHOST } from './connectionFaults';
import { useFastClock } from './fastClock';
import { faultCases } from './faults';
import { brokenIn, matrixTasks, runMatrix, smokeTasks, type Matrix } from './matrix';
import { operationCases, operationsOf } from './operations';
import { titleOf } from './operationCase';

const TASKS = takesAllCases ? matrixTasks() : smokeTasks();
const AT_ONCE = 12;
/** Under this fault, which only delays, everything must succeed. */
const HARMLESS = 'slow drip';

useFastClock(10);
let matrix: Matrix;

beforeAll(async () => {
	const { createSecureContext } = tls;
	// Node.js reads the certificates that it trusts when it starts, so each client receives this one.
	jest
		.spyOn(tls, 'createSecureContext')
		.mockImplementation((options) => createSecureContext({ ca: [LOCALHOST.cert], ...options }));
	matrix = await runMatrix(TASKS, AT_ONCE);
}, 3_600_000);
afterAll(() => jest.restoreAllMocks());

describe('Fault matrix', () => {
	it('contains every operation of every node', () => {
		const known = operationCases.map(({ node, operation }) => `${node}.${operation}`);
		// Sub-nodes run inside another node with the same client; test/integration/engine/subNodes.test.ts tests their failures.
		const nodes = Object.entries(nodeTypes).filter(([, node]) => !('supplyData' in node));
		const offered = nodes.flatMap(([type, node]) =>
			operationsOf(node).map((operation) => `${type.split('.').at(-1)}.${operation}`),
		);
		expect(offered.filter((operation) => !known.includes(operation))).toEqual([]);
	});

	it('contains a batch of every node', () => {
		const nodes = [...new Set(operationCases.map(({ node }) => node))];
		const missing = nodes.filter((node) => !operationCases.some((one) => one.node === node && one.batch));
		// The requests of its rows are all the same.
		expect(missing).toEqual(['account']);
	});

	it('has a smoke row with every operation and every fault that ends', () => {
		expect(new Set(TASKS.map(({ operation }) => operation))).toEqual(new Set(operationCases));
		const faults = new Set(TASKS.map(({ fault }) => fault));
		expect(faultCases.filter((fault) => !faults.has(fault) && !fault.neverEnds)).toEqual([]);
	});

	it.each(TASKS.map((task) => [titleOf(task.operation), task.fault.name, task] as const))(
		'finds nothing repeated, lost, hanging, leaked, or changed: %s, %s',
		(_title, name, { operation, fault }) => {
			const cell = matrix.cells.find((one) => one.operation === operation && one.fault === fault)!;
			expect(brokenIn(name, cell)).toEqual([]);
			if (name === HARMLESS) expect(cell.once.result).toBe('works');
		},
	);

	it('sends no request to a server that cannot be reached', () => {
		expect(matrix.strayRequests).toBe(0);
	});
});
