import type { IBinaryData, IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { GatewayFailure } from '../failure/failure';
import type { Call } from './call';
import { approximateLength, asRecord } from '../plain/values';

/** One result of an input item; becomes one output item. */
export interface OperationResult {
	json: IDataObject;
	/** Files by the name of their output field. */
	files?: Record<string, IBinaryData>;
	/** True if its fields are those of a row or of a model, which may have any names, and refer to no result. */
	isForeign?: boolean;
}

/** One failure of an input item, which may have results as well; becomes a separate output item. */
export interface OperationFailure {
	failure: GatewayFailure;
	files?: Record<string, IBinaryData>;
}

export type LinkedResult = { from: number | number[] } & (OperationResult | OperationFailure);

interface OperationDescription {
	/** The value of the `operation` parameter. */
	value: string;
	/** Title Case. */
	name: string;
	/** Sentence case, with an object, without articles. Agents know the operation by this text. */
	action: string;
	description: string;
	/** The heading above the operation in n8n's list of actions, if a node has many. */
	group?: string;
	/** The operation's own parameters, without display options for the operation. */
	fields: INodeProperties[];
	/** False if it needs several items, or files, which a tool of an AI Agent never gets. */
	isTool?: false;
	/**
	 * The names of fields that only some of its answers have, and hardly any table. With Include Input Fields, such fields
	 * from another node would seem to belong to this answer.
	 */
	answerFields?: readonly string[];
}

/** An operation that handles each item separately. */
export interface ItemOperation extends OperationDescription {
	/** Returns the results of an item. If only some of them fail, the list contains the failures as well. */
	run(call: Call): Promise<OperationResult | Array<OperationResult | OperationFailure>>;
}

export interface BatchOperation extends OperationDescription {
	/** Returns at least one result or failure for every item; the node outputs them in this order. */
	runAll(calls: Call[]): Promise<LinkedResult[]>;
}

export type Operation = ItemOperation | BatchOperation;

/** The part of an operation that is needed to run it. */
type ChosenOperation = Pick<ItemOperation, 'value' | 'run' | 'answerFields'> | BatchOperation;

/** Returns the operation that a node is set to; one that always fails if the node, or a tool, does not have it. */
export function chosenOperation(operations: Operation[], value: string, node: INode): ChosenOperation {
	const found = operations.find((operation) => operation.value === value);
	if (found === undefined) return failing(value, `Operation "${value}" does not exist in this node`, UNKNOWN);
	if (!isTool(node)) return found;
	if (found.isTool === false) return failing(value, `Operation "${found.name}" cannot be a tool`, NOT_A_TOOL);
	return node.onError === 'continueErrorOutput'
		? failing(value, 'The agent would receive nothing from this tool', UNHEARD)
		: found;
}

/** Tells whether a node is a tool of an AI Agent. n8n adds the ending to its type. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

const UNKNOWN =
	'Choose an operation from the list. If the workflow was made with a newer version of this package, update the package.';
const NOT_A_TOOL =
	'It needs several items, or files, which a tool does not get. Choose another operation of this node, or use the node outside the agent.';
/** n8n hands an agent nothing from such a tool, even if it succeeds and was paid for. */
const UNHEARD =
	'In the settings of the tool, set On Error to another value than "Continue (using error output)".';

function failing(value: string, message: string, description: string): ChosenOperation {
	const failure = new GatewayFailure('input', message, description, { attempts: 0 });
	return { value, run: async () => await Promise.reject(failure) };
}

/** Returns what an item has finished, even if it failed afterwards. */
export function finishedBy(linked: OperationResult | OperationFailure): OperationResult {
	if (!('failure' in linked)) return linked;
	const { taskId, partial } = linked.failure.facts;
	return { json: { ...(taskId === undefined ? {} : { taskId }), ...partial }, files: linked.files };
}

/** Returns the items with a failure, even if they have results as well. */
export function failedItems(results: LinkedResult[]): Set<number> {
	return new Set(results.flatMap((linked) => ('failure' in linked ? linked.from : [])));
}

/** A longer rest of an answer is only in the first of its items; hundreds of them would repeat it. */
const MAX_REPEATED_LENGTH = 10_000;

/** Returns the rest of an answer as the items after the first one repeat it: nothing of a long one. */
export function repeated(rest: Record<string, unknown>): Record<string, unknown> {
	return approximateLength(rest) > MAX_REPEATED_LENGTH ? {} : rest;
}

/** Returns the item for an entry of an answer when Simplify is off, with the rest of the answer in `response`. */
export function rawItem(entry: unknown, rest: Record<string, unknown>): IDataObject {
	const fields = toItem(entry);
	if (Object.keys(rest).length === 0) return fields;
	return { ...fields, ['response' in fields ? 'wholeResponse' : 'response']: rest };
}

/** Returns the items for all entries of an answer when Simplify is off; see {@link rawItem}. */
export function rawItems(entries: unknown[], rest: Record<string, unknown>): IDataObject[] {
	const others = repeated(rest);
	return entries.map((entry, index) => rawItem(entry, index === 0 ? rest : others));
}

/** Returns the item for an answer that is not split, as the gateway sent it; anything but an object is in `value`. */
export function toItem(value: unknown): IDataObject {
	return (asRecord(value) as IDataObject | undefined) ?? ({ value } as IDataObject);
}
