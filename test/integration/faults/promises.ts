import { fileBytes } from '../engine/runWorkflow';
import type { OperationCase } from './operationCase';
import { lostPaid } from './paidContent';
import { hasRepeatedPaid, type Exchange } from './requestFates';
import { failedItems, itemsOf, rowOf, type FailedItem, type Row } from './rows';
import type { CellRun } from './run';

/** Maximum size of a file that was sent without an end, with some to spare, in bytes. */
const STORED_LIMIT = 66_000_000;

/** The promises that a run has broken, in words. */
export async function brokenPromises(run: CellRun, operation: OperationCase): Promise<string[]> {
	const { result, exchanges, stored } = run;
	const broken = [...run.broken];
	if (!result) return broken;
	if (result.error) broken.push(`the node does not continue: ${result.error.message}`);
	else if (itemsOf(run).length === 0) broken.push('neither a result nor a failure');
	const rows = itemsOf(run).map(rowOf);
	if (rows.some((row, index) => row < rows[index - 1])) broken.push('the items are out of order');
	if (hasRepeatedPaid(exchanges, operation.creates)) broken.push('a paid request was repeated');
	const largest = Math.max(0, ...stored);
	if (largest > STORED_LIMIT) broken.push(`a file of ${Math.round(largest / 1e6)} MB was stored`);
	for (const item of failedItems(run)) broken.push(...(await brokenBy(item, run, operation)));
	return [...new Set(broken)];
}

async function brokenBy(
	{ message, details, item, row }: FailedItem,
	run: CellRun,
	{ creates }: OperationCase,
): Promise<string[]> {
	const broken: string[] = [];
	// Any other error becomes a failure of kind "input" with the message of that error.
	if (details.kind === 'input') broken.push(`an unexpected failure: ${message}`);
	if (!message || !details.description) broken.push('a failure without words');
	const files = await Promise.all(Object.values(item.binary ?? {}).map(fileBytes));
	return [...broken, ...lostPaid(exchangesOf(run, row), { details, files }, creates)];
}

/** The requests of a row. */
export function exchangesOf({ exchanges, contents }: CellRun, row: number): Exchange[] {
	if (!contents) return exchanges;
	return exchanges.filter(({ entry: { path, query, body } }) =>
		JSON.stringify([path, query, body]).includes(contents[row]),
	);
}

/**
 * Compares the rows that work with the rows of a run without the fault.
 *
 * @param isAltered whether the fault changes what the row that it hits is sent, so that its output may differ
 */
export function changedRows(rows: Row[], expected: Row[], isAltered: boolean, hitRow?: number): string[] {
	return rows.flatMap(({ result, output }, index) => {
		const isHit = hitRow === undefined || index === hitRow;
		if (isHit && (result !== 'works' || isAltered)) return [];
		if (result !== expected[index]?.result) return [`row ${index}, which the fault does not hit: ${result}`];
		const difference = differenceOf(output, expected[index].output);
		return difference ? [`the output of row ${index} is not as without the fault: ${difference}`] : [];
	});
}

const SHOWN_LENGTH = 60;

/** The place at which a text begins to differ from another one; undefined for none. */
function differenceOf(text: string, expected: string): string | undefined {
	if (text === expected) return undefined;
	let start = 0;
	while (text[start] === expected[start]) start += 1;
	const [shown, other] = [text, expected].map((one) =>
		one.slice(Math.max(0, start - 20), start + SHOWN_LENGTH),
	);
	return `${shown} instead of ${other}`;
}
