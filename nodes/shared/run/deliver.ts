import type { INodeExecutionData } from 'n8n-workflow';
import { type Exit, logFaults, nodeError, outputItems } from './exits';
import type { GatewayFailure } from '../failure/failure';
import { markedAsFailed } from '../olderEngines';
import { amount, count } from '../plain/inWords';
import { failedItems, isTool, type LinkedResult } from './operation';
import { toOutputItem, toToolAnswer } from './output';
import type { Payments } from './payments';
import { leftOutNote } from './runReport';

export interface DeliverySettings {
	payments?: Pick<Payments, 'keptItems' | 'leftOut'>;
	/** Items whose output keeps the fields of the input. */
	keepInput?: Set<number>;
}

/**
 * Results as output items; a failure becomes `{ error, details }` when the node continues on failure, and words for
 * the model in a tool. @throws NodeApiError for the first failure otherwise
 */
export async function deliver(
	exit: Exit,
	results: LinkedResult[],
	settings: DeliverySettings = {},
): Promise<INodeExecutionData[]> {
	logFaults(exit, results);
	const answersModel = isAnswered(exit, results);
	if (!exit.context.continueOnFail() && !answersModel) await throwFirstFailure(exit, results, settings);
	const toJson = answersModel ? toToolAnswer : undefined;
	const items = results.map((linked) => toOutputItem(linked, toJson));
	const output = await outputItems(
		exit,
		answersModel ? items : withInput(exit, items, settings.keepInput ?? new Set()),
	);
	if (answersModel || exit.context.getNode().onError !== 'continueErrorOutput') return output;
	return output.map((item, index) => ('failure' in results[index] ? markedAsFailed(item) : item));
}

/** Tells whether a model gets to know of failures. A user who has chosen to stop wants to see them, and nobody reads on after a stop. */
function isAnswered({ context }: Exit, results: LinkedResult[]): boolean {
	const node = context.getNode();
	const isCancelled = results.some((linked) => 'failure' in linked && linked.failure.kind === 'cancelled');
	return isTool(node) && node.onError !== 'stopWorkflow' && !isCancelled;
}

/** Output items with the fields of their input items, where the node is set to keep them. The output's own fields win. */
function withInput(exit: Exit, items: INodeExecutionData[], keepInput: Set<number>): INodeExecutionData[] {
	const input = exit.context.getInputData();
	return items.map((item) => {
		const from = item.pairedItem;
		// What several items have made together has no row of its own.
		if (typeof from !== 'object' || Array.isArray(from) || !keepInput.has(from.item)) return item;
		return { ...item, json: { ...input[from.item].json, ...item.json } };
	});
}

/** Names the finished items of a failing node, of which n8n shows nothing. */
function othersNote(exit: Exit, results: LinkedResult[], failure: GatewayFailure, kept: Set<number>): string {
	const failed = failedItems(results);
	const ended = results.flatMap(({ from }) => from);
	const done = new Set(ended.filter((item) => kept.has(item) && !failed.has(item)));
	// n8n offers no retry after a stop.
	if (done.size === 0 || failure.kind === 'cancelled') return '';
	const ofAll = `${count(done.size)} of ${amount(exit.context.getInputData().length, 'row')} done`;
	return ` ${ofAll}; a retry in Executions (with the currently saved workflow, if you change something) reuses their results. Execute step requests everything again.`;
}

async function throwFirstFailure(
	exit: Exit,
	results: LinkedResult[],
	{ payments }: DeliverySettings,
): Promise<void> {
	const failures = results.filter((linked) => 'failure' in linked);
	// A cancelled item says less than the item that made the run stop.
	const first = failures.find(({ failure }) => failure.kind !== 'cancelled') ?? failures[0];
	if (!first) return;
	const { from, failure } = first;
	const { keptItems = new Set<number>(), leftOut = new Set<number>() } = payments ?? {};
	const note = leftOut.size > 0 ? ` ${leftOutNote(leftOut)}` : '';
	const error = await nodeError(exit, failure, [from].flat());
	error.description = `${error.description ?? ''}${othersNote(exit, results, failure, keptItems)}${note}`;
	throw error;
}
