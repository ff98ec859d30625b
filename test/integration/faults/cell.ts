import { HIT_ROW } from './batches';
import type { FaultCase } from './faultCase';
import type { OperationCase } from './operationCase';
import { brokenPromises, changedRows, exchangesOf } from './promises';
import { rowsOf, type Row } from './rows';
import { forgetFiles, runPlan, type CellPlan, type Place } from './run';

/** The outcome of one run under one fault. */
export interface Outcome {
	/** `works`, `still waiting`, or the kind of the failure of the row that is hit. */
	result: string;
	/** How many requests of that row reached the emulator. */
	requests: number;
	/** Promises that did not hold; there should be none. */
	broken: string[];
}

/** The outcomes of a fault that affects one request, and of the same fault that lasts. */
export interface Outcomes {
	once: Outcome;
	always: Outcome;
}

const expectedRows = new Map<string, Promise<Row[]>>();

/** Runs an operation on one item under a fault, and checks the promises of the package. */
export async function runCell(operation: OperationCase, fault: FaultCase, place: Place): Promise<Outcomes> {
	const plan = { operation, fault, isBatch: false };
	const once = await runOnce({ ...plan, times: 1 }, place);
	// Without a second request, it makes no difference how long the fault lasts.
	const always = once.requests > 1 ? await runOnce({ ...plan, times: 'always' }, place) : once;
	return { once, always };
}

/** Runs an operation on many rows of which the fault hits one, which must fare as it does alone. */
export async function runBatch(
	operation: OperationCase,
	fault: FaultCase,
	place: Place,
	alone: Outcomes,
): Promise<Outcomes> {
	const plan = { operation, fault, isBatch: true };
	const once = await runOnce({ ...plan, times: 1 }, place);
	const always = once.requests > 1 ? await runOnce({ ...plan, times: 'always' }, place) : once;
	if (operation.batch?.isSharedAlone) return { once, always };
	return { once: sameAs(alone.once, once), always: sameAs(alone.always, always) };
}

function sameAs({ result }: Outcome, inBatch: Outcome): Outcome {
	if (inBatch.result === result) return inBatch;
	const broken = `the row has "${inBatch.result}", but alone it has "${result}"`;
	return { ...inBatch, broken: [...inBatch.broken, broken] };
}

async function runOnce(plan: CellPlan & { fault: FaultCase }, place: Place): Promise<Outcome> {
	const { operation, fault, isBatch } = plan;
	const expected = await rowsWithoutFault(plan, place);
	const run = await runPlan(plan, place);
	const hitRow = isBatch ? HIT_ROW : 0;
	const rows = run.result ? await rowsOf(run) : [];
	const outcome = {
		result: rows[hitRow]?.result ?? 'no result',
		requests: exchangesOf(run, hitRow).length,
		broken: [
			...(await brokenPromises(run, operation)),
			...changedRows(rows, expected, fault.altersAnswers?.(operation) ?? false, isBatch ? hitRow : undefined),
		],
	};
	await forgetFiles(run);
	return outcome;
}

/** The rows of an operation without a fault, from one run for all cells. */
async function rowsWithoutFault({ operation, isBatch }: CellPlan, place: Place): Promise<Row[]> {
	const { node, operation: name, variant } = operation;
	const key = [node, name, variant, isBatch].join();
	const known = expectedRows.get(key);
	if (known) return await known;
	const rows = runPlan({ operation, isBatch, fault: undefined, times: 1 }, place).then(rowsOf);
	expectedRows.set(key, rows);
	return await rows;
}
