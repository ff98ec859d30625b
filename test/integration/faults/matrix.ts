import { startEmulator, type Emulator } from '../../../emulator';
import { runPool } from '../../../nodes/shared/runtime/pool';
import { runBatch, runCell, type Outcomes } from './cell';
import type { FaultCase } from './faultCase';
import { faultCases } from './faults';
import { startFaultServers } from './faultServers';
import { operationCases, type OperationCase } from './operations';
import { recordAnswers } from './sentAnswers';

/** One cell of the matrix. */
export interface Cell extends Outcomes {
	operation: OperationCase;
	fault: FaultCase;
	/** The outcomes of the row that was hit among many; undefined where no batch ran. */
	batch: Outcomes | undefined;
}

/** What belongs to a cell before it has run. */
export type CellTask = Pick<Cell, 'operation' | 'fault'> & { hasBatch: boolean };

/** Each cell uses an emulator of its own while it runs. */
const EMULATORS = 24;
const HEAVY_AT_ONCE = 2;
/** More would keep the process so busy that requests without a fault exceed their time limits. */
const BATCHES_AT_ONCE = 5;

/**
 * The cells of the matrix.
 *
 * @param isComplete whether the cells are included that take too long for every run of the tests
 */
export function matrixTasks(isComplete: boolean): CellTask[] {
	return operationCases.flatMap((operation) =>
		faultCases
			.filter((fault) => applies(fault, operation) && (isComplete || !fault.isAlone))
			.map((fault) => ({ operation, fault, hasBatch: hasBatch(operation, fault, isComplete) })),
	);
}

function applies(fault: FaultCase, operation: OperationCase): boolean {
	const { suits, isHeavy = false, isAlone = false, perReader = false } = fault;
	if (suits && !suits(operation)) return false;
	if ((isHeavy || perReader) && operation.sharesReader) return false;
	return !isAlone || isFirstWithReader(operation);
}

function isFirstWithReader(operation: OperationCase): boolean {
	return operationCases.find(({ reader }) => reader === operation.reader) === operation;
}

/** Faults before HTTP begins hit all rows, and the most expensive ones do not become different among other rows. */
function hasBatch({ batch }: OperationCase, fault: FaultCase, isComplete: boolean): boolean {
	const hitsContent = fault.fault !== undefined || fault.hitsContent === true;
	const isCheap = !fault.isAlone && !fault.isHeavy;
	const isQuick = batch?.isQuick === true && !fault.perReader;
	return batch !== undefined && hitsContent && isCheap && (isComplete || isQuick);
}

/** What a run of the matrix has found. */
export interface Matrix {
	cells: Cell[];
	/** How many requests reached a server that cannot be reached. */
	strayRequests: number;
}

/** Runs cells, those that take much work apart from the others. */
export async function runMatrix(tasks: CellTask[]): Promise<Matrix> {
	const servers = await startFaultServers();
	const answers = recordAnswers();
	const emulators: Emulator[] = await Promise.all(
		Array.from(
			{ length: EMULATORS },
			async (_, index) => await startEmulator({ apiKey: `canary-key-${index}-0123456789` }),
		),
	);
	const all = [...emulators];
	const cells: Cell[] = [];
	const run = async ({ operation, fault, hasBatch }: CellTask) => {
		const emulator = emulators.pop()!;
		const place = { emulator, servers, answers };
		const alone = await runCell(operation, fault, place);
		const batch = hasBatch ? await runBatch(operation, fault, place, alone) : undefined;
		emulators.push(emulator);
		cells.push({ operation, fault, ...alone, batch });
	};
	const heavy = tasks.filter(({ fault }) => fault.isHeavy);
	const light = tasks.filter(({ fault }) => !fault.isHeavy && !fault.isAlone);
	const single = light.filter(({ hasBatch }) => !hasBatch);
	const batches = light.filter(({ hasBatch }) => hasBatch);
	await Promise.all([
		runPool(heavy, run, { concurrency: HEAVY_AT_ONCE }),
		runPool(batches, run, { concurrency: BATCHES_AT_ONCE }),
		runPool(single, run, { concurrency: EMULATORS - HEAVY_AT_ONCE - BATCHES_AT_ONCE }),
	]);
	for (const task of tasks.filter(({ fault }) => fault.isAlone)) await run(task);
	const strayRequests = servers.arrived();
	answers.stop();
	await Promise.all(all.map(async (emulator) => await emulator.close()));
	await servers.close();
	return { cells, strayRequests };
}
