import type { INodeExecutionData } from 'n8n-workflow';
import { type Exit, nodeError, outputItems } from './exits';
import type { LinkedResult } from './operation';
import { finishedResults, toErrorOutputItem, toOutputItem } from './output';
import { withLeftOut } from './retryReport';

/**
 * Results as output items; a failure becomes `{ error, details }` when the node continues on failure.
 *
 * @param leftOut items whose results are too large to be kept for a retry
 * @throws NodeApiError for the first failure otherwise, with the finished results in its context
 */
export async function deliver(
	exit: Exit,
	results: LinkedResult[],
	leftOut: number[] = [],
): Promise<INodeExecutionData[]> {
	if (!exit.context.continueOnFail()) await throwFirstFailure(exit, results, leftOut);
	const items = results.map((linked) =>
		'result' in linked ? toOutputItem(linked.result, linked.from) : toErrorOutputItem(linked, linked.from),
	);
	return await outputItems(exit, items);
}

async function throwFirstFailure(exit: Exit, results: LinkedResult[], leftOut: number[]): Promise<void> {
	const failures = results.filter((linked) => 'failure' in linked);
	// A cancelled item says less than the item that made the run stop.
	const first = failures.find(({ failure }) => failure.kind !== 'cancelled') ?? failures[0];
	if (!first) return;
	const itemIndex = Array.isArray(first.from) ? first.from[0] : first.from;
	const failure = leftOut.length === 0 ? first.failure : withLeftOut(first.failure, leftOut);
	throw await nodeError(exit, failure, itemIndex, finishedResults(results, first.failure));
}
