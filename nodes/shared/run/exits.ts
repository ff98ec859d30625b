import type {
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	ISupplyDataFunctions,
	NodeApiError,
} from 'n8n-workflow';
import type { Redactor } from '../answer/redactor';
import type { GatewayFailure } from '../failure/failure';
import { logFault } from '../send/client';
import type { Ledger } from '../send/ledger';
import { isTool } from './operation';

/**
 * The exits: whatever n8n shows, saves, logs, or passes on goes through here and loses the key. (Files leave through
 * `storeFile`, kept results through `Payments`, and the chunks of live answers through `LiveText` and `GatewayChat`.)
 */
export interface Exit<Context extends IExecuteFunctions | ISupplyDataFunctions = IExecuteFunctions> {
	readonly context: Context;
	readonly redactor: Redactor;
}

/** Shows a hint next to the node's output after the run, in yellow if somebody should look at the run. */
export function showHint(
	{ context, redactor }: Exit<IExecuteFunctions | ISupplyDataFunctions>,
	message: string,
	type: 'info' | 'warning' = 'info',
): void {
	context.addExecutionHints({ message: redactor.text(message), type, location: 'outputPane' });
}

/** Writes a line to n8n's log. */
export function logWarning(exit: Exit, message: string): void {
	exit.context.logger.warn(lineOf(exit, message));
}

/** Says how far a long run is: in n8n's log, and in the browser's console if somebody started it in the editor. */
export function logProgress(exit: Exit, message: string): void {
	const line = lineOf(exit, message);
	exit.context.logger.info(line);
	exit.context.sendMessageToUI(line);
}

function lineOf({ context, redactor }: Exit, message: string): string {
	// A call through MCP Server Trigger has none.
	const id = context.getExecutionId() as string | undefined;
	return redactor.text(`"${context.getNode().name}"${id ? ` (execution ${id})` : ''}: ${message}`);
}

/** Writes each fault of this package among the failures of a run to n8n's log, once even if many items have it. */
export function logFaults(
	{ context, redactor }: Exit,
	results: Array<{ failure?: GatewayFailure } | object>,
): void {
	const failures = results.flatMap((one) => ('failure' in one && one.failure ? one.failure : []));
	const faults = failures.filter(({ kind }) => kind === 'bug');
	const different = new Map(faults.map((fault) => [fault.facts.stack, fault]));
	for (const failure of different.values()) logFault(context, redactor, failure);
}

/** Tells n8n's traces what a run was. Older versions only save it with the execution. */
export function traceRun({ context, redactor }: Exit, trace: Trace): void {
	// Nothing that is paid for may be lost because an engine has no traces.
	if ('setMetadata' in context) context.setMetadata({ tracing: cleanTrace({ redactor }, trace) });
}

/** Removes the key, and empty values, from the attributes of a run for n8n's traces. */
export function cleanTrace({ redactor }: Pick<Exit, 'redactor'>, trace: Trace): Trace {
	const entries = Object.entries(trace).filter(([, value]) => value !== '');
	const clean = entries.map(([name, value]) => [
		name,
		typeof value === 'string' ? redactor.text(value) : value,
	]);
	return Object.fromEntries(clean) as Trace;
}

/** Removes the key from output items. The contents of files lost it when they were stored. */
export async function outputItems(
	{ redactor }: Pick<Exit, 'redactor'>,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const about = items.map(({ json, binary = {} }) => ({
		json,
		files: Object.entries(binary).map(([name, file]) => ({ name, file: { ...file, data: '' } })),
	}));
	const clean = await redactor.value(about);
	if (clean === about) return items;
	return items.map((item, index) => {
		const { json, files } = clean[index];
		if (!item.binary) return { ...item, json };
		const contents = Object.values(item.binary);
		const entries = files.map(({ name, file }, place) => [name, { ...file, data: contents[place].data }]);
		return { ...item, json, binary: Object.fromEntries(entries) as INodeExecutionData['binary'] };
	});
}

/** Turns anything thrown into an error that n8n shows on the node, without the key. */
export async function nodeError(
	{ context, redactor }: Exit,
	thrown: unknown,
	indexes: number[],
): Promise<NodeApiError> {
	const failure = await redactor.failure(thrown);
	const rows = { indexes, of: context.getInputData().length };
	const node = context.getNode();
	return (isTool(node) ? inNode(failure, node) : failure).toNodeApiError(node, rows);
}

/** Turns anything thrown into an error that n8n shows on a sub-node and on the node that uses it, without the key. */
export async function subNodeError(
	{ context, redactor }: Exit<ISupplyDataFunctions>,
	thrown: unknown,
): Promise<NodeApiError> {
	const failure = await redactor.failure(thrown);
	logFault(context, redactor, failure);
	const node = context.getNode();
	return inNode(failure, node).toSubNodeError(node);
}

/** Names the node in a failure at a spending limit: an agent shows failures of its models and tools as its own. */
function inNode(failure: GatewayFailure, { name }: INode): GatewayFailure {
	return failure.kind === 'spendingLimit'
		? failure.saying({ message: `${failure.message} in the node “${name}”` })
		: failure;
}

/** Names of models are cut to this length: they may be anything that an item contains. */
const MAX_LENGTH = 200;

/** The attributes of a run in n8n's traces. Those of tokens and costs have the names that n8n gives them. */
export type Trace = Record<string, string | number>;

/** Returns what a run has done, without anything that users or models have written. */
export function traceOf({ models, tokens, cost, requests, retries, waitedMs }: Ledger): Trace {
	return {
		'gateway.model': [...models].join(', ').slice(0, MAX_LENGTH),
		'gateway.requests': requests,
		'gateway.retries': retries,
		'gateway.waited_ms': Math.round(waitedMs),
		'llm.tokens.in': tokens.input,
		'llm.tokens.out': tokens.output,
		'llm.tokens.total': tokens.input + tokens.output,
		'llm.cost.total': rounded(cost),
	};
}

/** Rounds away the errors in sums of decimal fractions. */
export const rounded = (sum: number) => Number(sum.toPrecision(12));

/** Returns what has been done since an earlier trace. */
export function since(now: Trace, earlier: Trace): Trace {
	const grown = Object.entries(now).map(([name, value]) => [
		name,
		typeof value === 'number' ? rounded(value - Number(earlier[name] ?? 0)) : value,
	]);
	return Object.fromEntries(grown) as Trace;
}
