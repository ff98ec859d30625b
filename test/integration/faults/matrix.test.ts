import tls from 'node:tls';
import { nodeTypes } from '../engine/runWorkflow';
import type { Outcomes } from './cell';
import { LOCALHOST } from './connectionFaults';
import { useFastClock } from './fastClock';
import { faultCases } from './faults';
import { matrixTasks, runMatrix, type Matrix } from './matrix';
import { operationCases, operationsOf } from './operations';
import { readReport, titleOf, writeReport } from './report';

/** `npm run reliability` also runs what takes too long for every run of the tests. */
const IS_COMPLETE = process.env.npm_lifecycle_event === 'reliability';
const TASKS = matrixTasks(IS_COMPLETE);

useFastClock(10);
let matrix: Matrix;

beforeAll(async () => {
	const { createSecureContext } = tls;
	// Node.js reads the certificates that it trusts when it starts, so each client receives this one.
	jest
		.spyOn(tls, 'createSecureContext')
		.mockImplementation((options) => createSecureContext({ ca: [LOCALHOST.cert], ...options }));
	matrix = await runMatrix(TASKS);
}, 3_600_000);

function brokenIn(name: string, outcomes: Outcomes | undefined): string[] {
	if (!outcomes) return [];
	const { once, always } = outcomes;
	return [
		...once.broken.map((what) => `${name}, once: ${what}`),
		...(always === once ? [] : always.broken.map((what) => `${name}, always: ${what}`)),
	];
}

describe('Fault matrix', () => {
	it('contains every operation of every node', () => {
		const known = operationCases.map(({ node, resource, operation }) =>
			[node, resource, operation].join('.'),
		);
		// Sub-nodes run inside another node with the same client; test/integration/engine/subNodes.test.ts tests their failures.
		const nodes = Object.entries(nodeTypes).filter(([, node]) => !('supplyData' in node));
		const offered = nodes.flatMap(([type, node]) =>
			operationsOf(node).map(({ resource, operation }) =>
				[type.split('.').at(-1), resource, operation].join('.'),
			),
		);
		expect(offered.filter((operation) => !known.includes(operation))).toEqual([]);
	});

	it('contains a batch of every node', () => {
		const nodes = [...new Set(operationCases.map(({ node }) => node))];
		const missing = nodes.filter((node) => !operationCases.some((one) => one.node === node && one.batch));
		// It has a single item per wait, and the code of Music.
		expect(missing).toEqual(['musicWait']);
	});

	it.each(operationCases.map((operation) => [titleOf(operation), operation] as const))(
		'finds nothing repeated, lost, hanging, leaked, or changed in %s under any fault',
		(_title, operation) => {
			const ofOperation = matrix.cells.filter((cell) => cell.operation === operation);
			expect(ofOperation).toHaveLength(TASKS.filter((task) => task.operation === operation).length);
			const broken = ofOperation.flatMap(({ fault, batch, ...alone }) => [
				...brokenIn(fault.name, alone),
				...brokenIn(`${fault.name}, one of many rows`, batch),
			]);
			expect(broken).toEqual([]);
		},
	);

	it('lets every operation succeed under a harmless fault', () => {
		const harmless = matrix.cells.filter(({ fault }) => fault.name === 'slow drip');
		expect(harmless).toHaveLength(operationCases.length);
		expect(
			harmless.filter(({ once }) => once.result !== 'works').map(({ operation }) => titleOf(operation)),
		).toEqual([]);
	});

	it('sends no request to a server that cannot be reached', () => {
		expect(matrix.strayRequests).toBe(0);
	});

	it('appears in docs/reliability.md with every operation and every fault', () => {
		if (IS_COMPLETE) writeReport(matrix.cells);
		const page = readReport();
		const missing = [...operationCases.map(titleOf), ...faultCases.map(({ name }) => name)];
		expect(missing.filter((name) => !page.includes(name))).toEqual([]);
	});
});
