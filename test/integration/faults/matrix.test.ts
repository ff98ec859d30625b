import { startEmulator, type Emulator } from '../../../emulator';
import { runPool } from '../../../nodes/shared/runtime/pool';
import { readPage } from '../../reliabilityPage';
import { nodeTypes } from '../engine/runWorkflow';
import { runCell, type Duration } from './cell';
import { useFastClock } from './fastClock';
import { faultCases, type FaultCase } from './faults';
import { startFaultServers, type FaultServers } from './faultServers';
import { operationCases, operationsOf, type OperationCase } from './operations';
import { titleOf, writeReport, type Cell } from './report';

/** Each cell uses an emulator of its own while it runs. */
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
		// Without a second request, it makes no difference how long the fault lasts.
		const always = once.requests > 1 ? await run('always') : once;
		emulators.push(emulator);
		cells.push({ operation, fault, once, always });
	};
	const heavy = jobs.filter(({ fault }) => fault.heavy);
	const light = jobs.filter(({ fault }) => !fault.heavy);
	await Promise.all([
		runPool(heavy, runJob, { concurrency: HEAVY_AT_ONCE }),
		runPool(light, runJob, { concurrency: EMULATORS - HEAVY_AT_ONCE }),
	]);
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

	it.each(operationCases.map((operation) => [titleOf(operation), operation] as const))(
		'finds nothing repeated, lost, hanging, or leaked in %s under any fault',
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

	it('lets every operation succeed under a harmless fault', () => {
		const harmless = cells.filter(({ fault }) => fault.name === 'slow drip');
		expect(
			harmless.filter(({ once }) => once.result !== 'works').map(({ operation }) => titleOf(operation)),
		).toEqual([]);
	});

	it('sends no request to a server that cannot be reached', () => {
		expect(servers.arrived()).toBe(0);
	});

	it('appears in docs/reliability.md with every operation and every fault', () => {
		if (process.env.npm_lifecycle_event === 'reliability') writeReport(cells);
		const page = readPage();
		const missing = [...operationCases.map(titleOf), ...faultCases.map(({ name }) => name)];
		expect(missing.filter((name) => !page.includes(name))).toEqual([]);
	});
});
