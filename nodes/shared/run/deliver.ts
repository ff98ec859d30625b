import type { INodeExecutionData } from 'n8n-workflow';
import { type Exit, nodeError, outputItems } from './exits';
import { markedAsFailed } from '../olderEngines';
import { isTool, type LinkedResult } from './operation';
import { finishedResults, toOutputItem, toToolAnswer } from './output';
import { leftOutNote } from './runReport';

/**
 * Results as output items; a failure becomes `{ error, details }` when the node continues on failure, and words for the
 * model in a tool.
 *
 * @param leftOut items whose results are too large to be kept for a retry
 * @throws NodeApiError for the first failure otherwise, with the finished results in its context
 */
export async function deliver(
	exit: Exit,
	results: LinkedResult[],
	leftOut: number[] = [],
): Promise<INodeExecutionData[]> {
	const answersModel = isAnswered(exit, results);
	if (!exit.context.continueOnFail() && !answersModel) await throwFirstFailure(exit, results, leftOut);
	const toJson = answersModel ? toToolAnswer : undefined;
	const items = results.map((linked) => toOutputItem(linked, toJson));
	const output = await outputItems(exit, items);
	if (answersModel || exit.context.getNode().onError !== 'continueErrorOutput') return output;
	return output.map((item, index) => ('failure' in results[index] ? markedAsFailed(item) : item));
}

/** Whether a model gets to know of failures. A user who has chosen to stop wants to see them, and nobody reads on after a stop. */
function isAnswered({ context }: Exit, results: LinkedResult[]): boolean {
	const node = context.getNode();
	const isCancelled = results.some((linked) => 'failure' in linked && linked.failure.kind === 'cancelled');
	return isTool(node) && node.onError !== 'stopWorkflow' && !isCancelled;
}

async function throwFirstFailure(exit: Exit, results: LinkedResult[], leftOut: number[]): Promise<void> {
	const failures = results.filter((linked) => 'failure' in linked);
	// A cancelled item says less than the item that made the run stop.
	const first = failures.find(({ failure }) => failure.kind !== 'cancelled') ?? failures[0];
	if (!first) return;
	const { from, failure } = first;
	const note = leftOut.length > 0 ? ` ${leftOutNote(leftOut)}` : '';
	const shown = failure.saying({ description: `${failure.description}${note}` });
	throw await nodeError(exit, shown, [from].flat()[0], finishedResults(results, failure));
}
