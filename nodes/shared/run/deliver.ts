import type { INodeExecutionData, IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { type Exit, logFaults, nodeError, outputItems } from './exits';
import type { GatewayFailure } from '../failure/failure';
import { markedAsFailed, workflowSettings } from '../olderEngines';
import { amount, asSentence, count, rowList } from '../plain/inWords';
import { failedItems, finishedBy, isTool, type LinkedResult } from './operation';
import type { Payments } from './payments';
import { leftOutNote } from './runReport';
import { withoutGaps } from '../plain/values';
import { numberField } from '../fields/field';

type FailedResult = Extract<LinkedResult, { failure: GatewayFailure }>;

interface DeliverySettings {
	payments?: Pick<Payments, 'keptItems' | 'leftOut'>;
	/** The fields of the input that the output of an item keeps. */
	keptFields?: Map<number, IDataObject>;
}

/**
 * Turns results into output items. A failure becomes `{ error, details }` when the node continues on failure, and words
 * for the model in a tool. @throws NodeApiError for the first failure otherwise
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
	const output = await outputItems(exit, answersModel ? items : withInput(items, settings));
	if (answersModel || exit.context.getNode().onError !== 'continueErrorOutput') return output;
	return output.map((item, index) => ('failure' in results[index] ? markedAsFailed(item) : item));
}

/** Tells whether failures go to a model: not if the user has set the node to stop, nor after the execution stopped. */
function isAnswered({ context }: Exit, results: LinkedResult[]): boolean {
	const node = context.getNode();
	const isCancelled = results.some((linked) => 'failure' in linked && linked.failure.kind === 'cancelled');
	return isTool(node) && node.onError !== 'stopWorkflow' && !isCancelled;
}

/** Adds the fields of input items to output items, where the node is set to keep them. The output's own fields win. */
function withInput(items: INodeExecutionData[], { keptFields }: DeliverySettings): INodeExecutionData[] {
	return items.map((item) => {
		const from = item.pairedItem;
		// A result of several items does not belong to one row.
		const kept = typeof from === 'object' && !Array.isArray(from) && keptFields?.get(from.item);
		return kept ? { ...item, json: { ...kept, ...item.json } } : item;
	});
}

/** Counts the finished items of a failing node, because n8n does not show them. */
function othersNote(exit: Exit, results: LinkedResult[], failure: GatewayFailure, kept: Set<number>): string {
	const failed = failedItems(results);
	// Some of them have no output, such as the documents that are not among the best.
	const done = [...kept].filter((item) => !failed.has(item));
	// n8n offers no retry after a stop.
	if (done.length === 0 || failure.kind === 'cancelled') return '';
	const ofAll = `${count(done.length)} of ${amount(exit.context.getInputData().length, 'row')} done`;
	if (!isSaved(exit))
		return ` ${ofAll}; no retry can reuse their results, because the settings of this workflow do not save this execution.`;
	return ` ${ofAll}; a retry in Executions (with the currently saved workflow, if you change something) reuses their results. Execute step requests everything again.`;
}

/** Tells whether the workflow's own settings let n8n keep the failed execution; those of its environment are unknown. */
function isSaved({ context }: Exit): boolean {
	const { saveDataErrorExecution, saveManualExecutions } = workflowSettings(context);
	return context.getMode() === 'manual' ? saveManualExecutions !== false : saveDataErrorExecution !== 'none';
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
	const charged = chargedNote(failures, first, keptItems);
	const others = othersNote(exit, results, failure, keptItems);
	error.description = `${error.description ?? ''}${charged}${others}${note}`;
	throw error;
}

/** Names rows whose failed requests a retry may pay for twice, besides those that `shown` is about. */
function chargedNote(failures: FailedResult[], shown: FailedResult, kept: Set<number>): string {
	const told = shown.failure.isFree ? [] : [shown.from].flat();
	const charged = failures.flatMap(({ from, failure }) => {
		if (failure.isFree) return [];
		return [from].flat().filter((row) => failure.charge === 'possible' || !kept.has(row));
	});
	const rows = new Set(charged.filter((row) => !told.includes(row)));
	if (rows.size === 0) return '';
	return ` Other failed requests (${rowList(rows)}) may have been charged for. Check the console of your gateway before you retry.`;
}

/** Turns a result or a failure into an output item. @param toJson makes an item for the error output by default */
export function toOutputItem(
	linked: LinkedResult,
	toJson = (failure: GatewayFailure): IDataObject => failure.toErrorItem(),
): INodeExecutionData {
	const { from, files = {} } = linked;
	return {
		json: 'failure' in linked ? toJson(linked.failure) : withoutGaps(linked.json),
		...(Object.keys(files).length > 0 ? { binary: files } : {}),
		pairedItem: Array.isArray(from) ? from.map((item) => ({ item })) : { item: from },
	};
}

/** Describes a failure to the model of an agent. If it were thrown, n8n would pass on only its message, or nothing. */
function toToolAnswer(failure: GatewayFailure): IDataObject {
	const { message, description } = failure;
	const { json: details } = finishedBy({ failure });
	return {
		error: `${asSentence(message)} ${description}`,
		...(Object.keys(details).length > 0 ? { details } : {}),
	};
}

export const MAX_ANSWER_LENGTH = numberField(
	'Max Answer Length (Characters)',
	'maxAnswerLength',
	10_000,
	'How much of the answer the model gets at most, or 0 for no limit',
	{ typeOptions: { minValue: 0, numberPrecision: 0 }, displayOptions: { show: { '@tool': [true] } } },
);

export const toolFields: INodeProperties[] = [MAX_ANSWER_LENGTH];

/** Returns the items of a node; those of a tool with words about files or none, and not longer than its model may read. */
export function toolAnswerOf(
	items: INodeExecutionData[],
	node: INode,
	maxLength: number,
): INodeExecutionData[] {
	if (!isTool(node)) return items;
	// Of no items, n8n would make an empty text, which does not say that the tool has worked.
	if (items.length === 0) return [{ json: { empty: true, message: 'Nothing was found.' } }];
	const answers = items.map((item) => ({ ...item, json: { ...item.json, ...aboutFiles(item, node) } }));
	return maxLength > 0 ? within(answers, maxLength) : answers;
}

function aboutFiles({ binary = {} }: INodeExecutionData, { name }: INode): IDataObject {
	const files = Object.entries(binary).map(([field, file]) => {
		const { fileName, mimeType, fileSize } = file;
		return { field, fileName, mimeType, fileSize };
	});
	if (files.length === 0) return {};
	const aboutFiles = `The files are in the output of "${name}" in this execution, unless an MCP client has asked, or AI Agent is older than version 3. You cannot open them.`;
	return { files, aboutFiles };
}

/** The approximate length of the note about what is left out, in characters. */
const NOTE_LENGTH = 100;
/** The approximate length of an entry of a list, in characters. */
const ENTRY_LENGTH = 40;

/** Leaves out the last items, and shortens the first one if it alone is too long, so that they fit as JSON. */
function within(items: INodeExecutionData[], maxLength: number): INodeExecutionData[] {
	if (lengthOf(items.map(({ json }) => json)) <= maxLength) return items;
	const kept: INodeExecutionData[] = [];
	let room = maxLength - NOTE_LENGTH;
	for (const item of items) {
		room -= lengthOf(item.json) + 1;
		if (room < 0) break;
		kept.push(item);
	}
	const [first] = items;
	if (kept.length === 0) kept.push({ ...first, json: shortened(first.json, maxLength - NOTE_LENGTH) });
	const left = items.length - kept.length;
	const leftOut = `${left} of ${items.length} items, because the answer would be too long`;
	return left > 0 ? [...kept, { ...first, json: { leftOut } }] : kept;
}

/** Cuts the texts and lists of an item until it fits. */
function shortened(json: IDataObject, room: number): IDataObject {
	for (let most = room; most >= 1; most = Math.floor(most / 2)) {
		const text = JSON.stringify(json, (_name, value: unknown) => shortValue(value, most));
		if (text.length <= room) return JSON.parse(text) as IDataObject;
	}
	return { leftOut: 'all fields, because the answer would be too long' };
}

function shortValue(value: unknown, most: number): unknown {
	if (typeof value === 'string' && value.length > most) return `${value.slice(0, most)}…`.toWellFormed();
	const entries = Math.ceil(most / ENTRY_LENGTH);
	return Array.isArray(value) && value.length > entries ? value.slice(0, entries).concat('…') : value;
}

function lengthOf(value: unknown): number {
	return JSON.stringify(value).length;
}
