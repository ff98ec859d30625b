import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { GatewayFailure } from '../errors/gatewayFailure';
import type { LinkedResult, OperationResult } from './operation';
import { fileReference, finishedBy } from './output';
import { MAX_KEPT_LENGTH } from './paidResults';
import { amount, count } from './progress';

/** Maximum number of results that the log names at a stop. */
const MAX_LOGGED_RESULTS = 1000;

/** Hints for the user on what a retry took over from an earlier try, and on what it pays for again. */
export function retryHints({
	reusedItems,
	lostItems,
	leftOut,
}: {
	reusedItems: Set<number>;
	lostItems: Set<number>;
	leftOut: number[];
}): string[] {
	const hints: string[] = [];
	if (reusedItems.size > 0) {
		hints.push(
			`Reused paid results of an earlier try (${itemList(reusedItems)}). To generate them again, turn off Reuse Results on Retry in Options.`,
		);
	}
	if (lostItems.size > 0) {
		hints.push(
			`Files of an earlier try no longer exist in n8n and had no link, so they were generated and paid for again (${itemList(lostItems)}).`,
		);
	}
	if (leftOut.length > 0) hints.push(leftOutNote(leftOut));
	return hints;
}

/** A failure that also names the items that a retry pays for again. */
export function withLeftOut(
	{ kind, message, description, facts }: GatewayFailure,
	leftOut: number[],
): GatewayFailure {
	return new GatewayFailure(kind, message, `${description} ${leftOutNote(leftOut)}`, facts);
}

/**
 * The results of a run, whose failures at a limit of the user say how far the run came.
 *
 * @param total how many input items there are
 * @param requests how many requests the run has paid for
 */
export function withReach(results: LinkedResult[], total: number, requests: number): LinkedResult[] {
	const failed = new Set(results.flatMap((linked) => ('failure' in linked ? linked.from : [])));
	const items = new Set(results.flatMap(({ from }) => from));
	const done = count(items.size - failed.size);
	const reach = `${done} of ${amount(total, 'item')} done with ${amount(requests, 'request')}`;
	return results.map((linked) => {
		if (!('failure' in linked) || linked.failure.kind !== 'spendingLimit') return linked;
		const { kind, message, description, facts } = linked.failure;
		return { ...linked, failure: new GatewayFailure(kind, `${message}: ${reach}`, description, facts) };
	});
}

function leftOutNote(leftOut: number[]): string {
	const megabytes = MAX_KEPT_LENGTH / 1_000_000;
	return `A retry pays again for ${itemList(leftOut)}, because the results are too large to be kept with the execution (the limit is ${megabytes} MB). Send fewer items per run, for example with Loop Over Items.`;
}

/**
 * What to write to the log when an execution is stopped. Except in queue mode, n8n then drops everything that the node
 * has.
 *
 * @param paidItems items for which the run has paid
 * @returns undefined when nothing was paid for and nothing may have been
 */
export function stopReport(
	results: LinkedResult[],
	paidItems: Set<number>,
): { message: string; data: IDataObject } | undefined {
	const finished: IDataObject[] = [];
	const unfinished: IDataObject[] = [];
	const finishedItems = new Set<number>();
	const unfinishedItems = new Set<number>();
	const unclearItems = new Set<number>();
	for (const linked of results) {
		const items = [linked.from].flat();
		const failure = 'failure' in linked ? linked.failure : undefined;
		if (failure?.facts.mayHaveBeenCarriedOut) {
			addAll(unclearItems, items);
			continue;
		}
		const result = 'failure' in linked ? finishedBy(linked) : linked.result;
		const paid = items.filter((item) => paidItems.has(item));
		const continues = result.json.cancelled === true;
		if (paid.length === 0 && !continues) continue;
		const isFinished = failure === undefined && !continues;
		addAll(isFinished ? finishedItems : unfinishedItems, paid);
		(isFinished ? finished : unfinished).push({ item: linked.from, ...referencesOf(result) });
	}
	if (finishedItems.size + unfinishedItems.size + unclearItems.size === 0) return undefined;
	const sentences = ['The execution was stopped.'];
	if (finishedItems.size > 0) sentences.push(`Finished and paid for: ${itemList(finishedItems)}.`);
	if (unfinishedItems.size > 0) sentences.push(`Paid for, but not finished: ${itemList(unfinishedItems)}.`);
	if (unclearItems.size > 0) sentences.push(`In progress, and possibly paid for: ${itemList(unclearItems)}.`);
	const references = [...finished, ...unfinished].flatMap(asWords);
	if (references.length > 0) sentences.push(`References: ${listed(references)}.`);
	const data: IDataObject = { finished: finished.slice(0, MAX_LOGGED_RESULTS) };
	if (unfinished.length > 0) data.unfinished = unfinished.slice(0, MAX_LOGGED_RESULTS);
	return { message: sentences.join(' '), data };
}

/** n8n writes the data of a line only to logs in JSON format, so that the line itself names the most important. */
const MAX_REFERENCES_IN_LINE = 50;

function asWords({ item, taskId, url, audioUrl, files }: IDataObject): string[] {
	const [file] = (files ?? []) as Array<{ id?: string }>;
	const reference = taskId ?? url ?? audioUrl ?? file?.id;
	return typeof reference === 'string'
		? [`${itemList([item as number | number[]].flat())}: ${reference}`]
		: [];
}

function listed(references: string[]): string {
	const more = references.length - MAX_REFERENCES_IN_LINE;
	const shown = references.slice(0, MAX_REFERENCES_IN_LINE).join('; ');
	return more > 0 ? `${shown}; and ${more} more in the data of this line` : shown;
}

function addAll(set: Set<number>, items: number[]): void {
	for (const item of items) set.add(item);
}

/** What helps to find a result again: its links, its task, and its files. */
function referencesOf({ json, files = {} }: OperationResult): IDataObject {
	const references: IDataObject = {};
	for (const name of ['url', 'audioUrl', 'imageUrl', 'taskId', 'name']) {
		if (typeof json[name] === 'string' && json[name] !== '') references[name] = json[name];
	}
	const stored = Object.values(files);
	// The name of a file may be the beginning of a prompt.
	const reference = (file: IBinaryData) => ({ ...fileReference(file), fileName: undefined });
	if (stored.length > 0) references.files = stored.map(reference);
	return references;
}

/** Items by their indexes, as the editor counts them: `item 3`, or `items 0–5 and 7`. */
export function itemList(items: Iterable<number>): string {
	const sorted = [...items].sort((one, other) => one - other);
	const ranges: string[] = [];
	for (let start = 0; start < sorted.length;) {
		let end = start;
		while (sorted[end + 1] === sorted[end] + 1) end++;
		ranges.push(end === start ? `${sorted[start]}` : `${sorted[start]}–${sorted[end]}`);
		start = end + 1;
	}
	const last = ranges.pop();
	const list = ranges.length === 0 ? last : `${ranges.join(', ')} and ${last}`;
	return `${sorted.length === 1 ? 'item' : 'items'} ${list}`;
}
