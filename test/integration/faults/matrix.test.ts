import { startEmulator, type Emulator } from '../../../emulator';
import { runPool } from '../../../nodes/shared/runtime/pool';
import { nodeTypes } from '../engine/runWorkflow';
import { runCell, type Duration } from './cell';
import { useFastClock } from './fastClock';
import { faultCases, type FaultCase } from './faults';
import { startFaultServers, type FaultServers } from './faultServers';
import { operationCases, operationsOf, type OperationCase } from './operations';
import { readReport, titleOf, writeReport, type Cell } from './report';

/** Each cell has an emulator to itself while it runs. */
const EMULATORS = 24;
const HEAVY_AT_ONCE = 2;

useFastClock(10);
let emulators: Emulator[];
let servers: FaultServers;
const cells: Cell[] = [];

beforeAll(async () => {
	servers = await startFaultServers();
	emulators = await Promise.all(
		Array.from(
			{ length: EMULATORS },
			async (_, index) => await startEmulator({ apiKey: `canary-key-${index}-0123456789` }),
		),
	);
	await runAll(operationCases);
}, 900_000);
afterAll(async () => {
	await Promise.all(emulators.map(async (emulator) => await emulator.close()));
	await servers.close();
});

function faultsFor({ sharesReader = false }: OperationCase): FaultCase[] {
	return faultCases.filter(({ heavy = false }) => !(heavy && sharesReader));
}

async function runAll(operations: OperationCase[]): Promise<void> {
	const jobs = operations.flatMap((operation) => faultsFor(operation).map((fault) => ({ operation, fault })));
	const runJob = async ({ operation, fault }: (typeof jobs)[number]) => {
		const emulator = emulators.pop()!;
		const run = async (duration: Duration) => await runCell(operation, fault, duration, emulator, servers);
		const once = await run('once');
		// Where no second request followed, it makes no difference how long the fault lasts.
		const always = once.requests > 1 ? await run('always') : once;
		emulators.push(emulator);
		cells.push({ operation, fault, once, always });
	};
	const heavy = jobs.filter(({ fault }) => fault.heavy);
	const light = jobs.filter(({ fault }) => !fault.heavy);
	await Promise.all([
		runPool(heavy.length, HEAVY_AT_ONCE, async (index) => await runJob(heavy[index])),
		runPool(light.length, EMULATORS - HEAVY_AT_ONCE, async (index) => await runJob(light[index])),
	]);
}

test('every operation of every node has an entry', () => {
	const known = operationCases.map(({ node, resource, operation }) => [node, resource, operation].join('.'));
	// Sub-nodes run within another node, over the same client; test/integration/subNodes.test.ts has their failures.
	const nodes = Object.entries(nodeTypes).filter(([, node]) => !('supplyData' in node));
	const offered = nodes.flatMap(([type, node]) =>
		operationsOf(node).map(({ resource, operation }) =>
			[type.split('.').at(-1), resource, operation].join('.'),
		),
	);
	expect(offered.filter((operation) => !known.includes(operation))).toEqual([]);
});

test.each(operationCases.map((operation) => [titleOf(operation), operation] as const))(
	'%s: nothing repeated, lost, hanging or leaked under any fault',
	(_title, operation) => {
		const ofOperation = cells.filter((cell) => cell.operation === operation);
		expect(ofOperation).toHaveLength(faultsFor(operation).length);
		const broken = ofOperation.flatMap(({ fault, once, always }) => [
			...once.broken.map((what) => `${fault.name}, once: ${what}`),
			...always.broken.map((what) => `${fault.name}, always: ${what}`),
		]);
		expect(broken).toEqual([]);
	},
);

test('the innocent operation of the matrix works where the fault does no harm', () => {
	const harmless = cells.filter(({ fault }) => fault.name === 'slow drip');
	expect(
		harmless.filter(({ once }) => once.result !== 'works').map(({ operation }) => titleOf(operation)),
	).toEqual([]);
});

test('what cannot be reached is never taken for reached', () => {
	expect(servers.arrived()).toBe(0);
});

test('docs/reliability.md shows every operation and every fault', () => {
	if (process.env.npm_lifecycle_event === 'reliability') writeReport(cells);
	const page = readReport();
	const missing = [...operationCases.map(titleOf), ...faultCases.map(({ name }) => name)];
	expect(missing.filter((name) => !page.includes(name))).toEqual([]);
});
