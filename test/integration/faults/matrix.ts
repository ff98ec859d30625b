import type { Emulator } from '../../../emulator';
import { runBatch, runCell, type Outcomes } from './cell';
import { withEmulators } from './emulators';
import type { FaultCase } from './faultCase';
import { faultCases } from './faults';
import { startFaultServers } from './faultServers';
import { operationCases, type OperationCase } from './operations';
import { recordAnswers } from './sentAnswers';

/** One cell of the matrix. */
interface Cell extends Outcomes {
	operation: OperationCase;
	fault: FaultCase;
	/** The outcomes of the row that was hit among many; undefined where no batch ran. */
	batch: Outcomes | undefined;
}

/** What belongs to a cell before it has run. */
type CellTask = Pick<Cell, 'operation' | 'fault'> & { hasBatch: boolean };

/** The cells of the matrix. */
export function matrixTasks(): CellTask[] {
	return operationCases.flatMap((operation) =>
		faultCases
			.filter((fault) => applies(fault, operation))
			.map((fault) => ({ operation, fault, hasBatch: hasBatch(operation, fault) })),
	);
}

/** A row of the matrix for every run of the tests: each fault once, and each operation at least once. */
export function smokeTasks(): CellTask[] {
	const tasks = matrixTasks().filter(({ fault }) => !fault.neverEnds);
	const names = [...new Set(tasks.map(({ fault }) => fault.name))];
	const ofFaults = names.map((name, index) => {
		const ofFault = tasks.filter(({ fault }) => fault.name === name);
		return ofFault[index % ofFault.length];
	});
	const others = operationCases.filter((operation) => ofFaults.every((task) => task.operation !== operation));
	const ofOthers = others.map((operation, index) => {
		const ofOperation = tasks.filter((task) => task.operation === operation);
		return ofOperation[index % ofOperation.length];
	});
	return [...ofFaults, ...ofOthers].map((task) => ({
		...task,
		hasBatch: task.hasBatch && task.operation.batch?.isQuick === true,
	}));
}

function applies({ suits, perReader = false }: FaultCase, operation: OperationCase): boolean {
	return (suits?.(operation) ?? true) && !(perReader && operation.sharesReader);
}

/** Faults before HTTP begins hit all rows. */
function hasBatch({ batch }: OperationCase, fault: FaultCase): boolean {
	return batch !== undefined && (fault.fault !== undefined || fault.hitsContent === true);
}

/** What a run of the matrix has found. */
export interface Matrix {
	cells: Cell[];
	/** How many requests reached a server that cannot be reached. */
	strayRequests: number;
}

/** Runs cells, up to `concurrency` of them at once. */
export async function runMatrix(tasks: readonly CellTask[], concurrency: number): Promise<Matrix> {
	const servers = await startFaultServers();
	const answers = recordAnswers();
	const run = async ({ operation, fault, hasBatch }: CellTask, emulator: Emulator): Promise<Cell> => {
		const place = { emulator, servers, answers };
		const alone = await runCell(operation, fault, place);
		const batch = hasBatch ? await runBatch(operation, fault, place, alone) : undefined;
		return { operation, fault, ...alone, batch };
	};
	const cells = await withEmulators(tasks, concurrency, run);
	const strayRequests = servers.arrived();
	answers.stop();
	await servers.close();
	return { cells, strayRequests };
}

/** The promises that did not hold in a cell, in words. */
export function brokenIn(name: string, { once, always, batch }: Outcomes & Pick<Cell, 'batch'>): string[] {
	const lasting = always.broken.filter((what) => !once.broken.includes(what));
	return [
		...once.broken.map((what) => `${name}, once: ${what}`),
		...lasting.map((what) => `${name}, always: ${what}`),
		...(batch ? brokenIn(`${name}, one of many rows`, { ...batch, batch: undefined }) : []),
	];
}
