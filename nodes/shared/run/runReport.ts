import { beginningOf, groupBy, textOr } from '../plain/values';
import { cannotKeep } from '../failure/words';
import type { Ledger } from '../send/ledger';
import { logProgress, logWarning, showHint, traceRun, traceOf } from './exits';
import { amount, asSentence, count, durationInWords, joined, rowList, rowsInWords } from '../plain/inWords';
import { failedItems, type LinkedResult, finishedBy } from './operation';
import { MAX_KEPT_LENGTH } from './paidResults';
import type { Payments } from './payments';
import { type Progress, REPORT_EVERY_MS } from './progress';
import type { RunResources } from './runResources';

/** The maximum number of causes of failures in a summary, and the maximum length of each. */
const MAX_CAUSES = 3;
const MAX_CAUSE_LENGTH = 120;
/** The maximum number of references to results in the log after a stop. */
const MAX_REFERENCES = 1000;

interface RunEnd {
	/** True if the node fails, so that n8n shows none of its hints. */
	fails: boolean;
	operations: string[];
	isCancelled: boolean;
	/** The number of items that were not sent because another one had failed. */
	unsent: number;
}

/** Sums up a run, and says what was reused from an earlier try and, at a stop, what is finished and paid for. */
export function reportRun(run: RunResources, results: LinkedResult[], end: RunEnd): void {
	const { client, payments, progress } = run;
	const { fails, isCancelled, operations, unsent } = end;
	traceRun(run, {
		'gateway.operation': operations.join(', '),
		'gateway.reused_items': payments.reusedItems.size,
		...traceOf(client.ledger),
	});
	for (const [message, items] of run.hints) {
		const type = run.warnings.has(message) ? 'warning' : 'info';
		showHint(run, `${message}${rowsInWords({ indexes: [...items], of: progress.total })}`, type);
	}
	const { total } = progress;
	const isAlike = total > 1 && payments.areAlike(total);
	const summary = summaryOf(results, progress, client.ledger, { isAlike, unsent });
	if (summary && progress.tookMs >= REPORT_EVERY_MS) logProgress(run, summary);
	const mayRetry = failedItems(results).size > 0 && !fails;
	const unreported = client.ledger.limits?.spending.unreported;
	const idle = unreported !== undefined && !mayRetry && !fails && `${cannotKeep(unreported)}.`;
	const hint = joined([!fails && summary, idle, ...retryHints(payments, mayRetry)], ' ');
	if (hint !== '') showHint(run, hint, isAlike || mayRetry || idle ? 'warning' : 'info');
	const stop = isCancelled ? stopReport(results, payments.paidItems) : undefined;
	if (stop) logWarning(run, stop);
}

/**
 * Says what a run did, for the person who looks at its output.
 *
 * @param end `isAlike`: whether all items have sent the same request; `unsent`: items that another one has stopped
 * @returns undefined for a single item that simply succeeded, because its output says everything
 */
export function summaryOf(
	results: LinkedResult[],
	{ total, tookMs }: Pick<Progress, 'total' | 'tookMs'>,
	ledger: Ledger,
	{ isAlike = false, unsent = 0 }: { isAlike?: boolean; unsent?: number } = {},
): string | undefined {
	const { tokens, requests, retries, waitedMs, cost } = ledger;
	const failures = results.filter((linked) => 'failure' in linked);
	const failed = failedItems(results).size;
	const mayBePaid = failures.some(({ failure }) => !failure.isFree);
	const waited = Math.round(waitedMs / 1000) > 0;
	const isPlain = total === 1 && failed === 0 && retries === 0 && !waited;
	if (isPlain || (total === 1 && requests === 0)) return undefined;
	const { input, output } = tokens;
	// Leaves out the digits of rounding errors.
	const costs = cost.toLocaleString('en-US', { maximumSignificantDigits: 6 });
	const used = [input > 0 && `${count(input)} input`, output > 0 && `${count(output)} output`];
	const cancelled = results.filter(wasCancelled);
	const unfinished = new Set(cancelled.flatMap(({ from }) => from)).size;
	const made = results.length - failures.length - cancelled.length;
	const finished = total - failed - unsent - unfinished;
	const done = [
		`${count(finished)} done`,
		failed > 0 && `${count(failed)} failed`,
		unfinished > 0 && `${count(unfinished)} not finished`,
		unsent > 0 && `${count(unsent)} not sent`,
		// One item may have several results, such as the tracks of songs.
		made > finished && amount(made, 'result'),
	];
	const sentences = [
		isAlike && `All ${count(total)} requests were identical. Check the expressions in the parameters.`,
		`${amount(total, 'item')} in ${durationInWords(tookMs)}: ${joined(done, ', ')}.`,
		failed > 0 && asSentence(`Failures: ${causesOf(failures.map(({ failure }) => failure.message))}`),
		`${requestsInWords(ledger, mayBePaid)}.`,
		input + output > 0 && `Tokens: ${joined(used, ', ')}.`,
		cost > 0 && `Cost reported by the gateway: ${costs}.`,
		waited && `Waited ${durationInWords(waitedMs)} for limits of the gateway.`,
	];
	return joined(sentences, ' ');
}

/** Tells whether an item has submitted a task that continues after the execution was stopped. */
function wasCancelled(linked: LinkedResult): boolean {
	return !('failure' in linked) && !linked.isForeign && linked.json.cancelled === true;
}

/** @param mayBePaid whether a failure may be paid for: if nothing was sent, it is that of an earlier try */
function requestsInWords({ requests, retries, free }: Ledger, mayBePaid: boolean): string {
	if (requests === 0) return `Nothing was sent${mayBePaid ? ' in this try' : ''}`;
	const again = retries > 0 && `${count(retries)} repeated an earlier one`;
	const unpaid = free > 0 && free < requests && `${count(free)} ${free === 1 ? 'was' : 'were'} free`;
	const all = amount(requests, free === requests ? 'free request' : 'request');
	return joined([all, joined([again, unpaid], ' and ')], ', of which ');
}

/** Lists the causes of failures with their numbers, the most frequent first. */
function causesOf(messages: string[]): string {
	const causes = groupBy(messages, withoutDetails).sort((one, other) => other.length - one.length);
	const named = causes.slice(0, MAX_CAUSES).map((group) => `${count(group.length)} × ${short(group[0])}`);
	const others = causes.slice(MAX_CAUSES).flat().length;
	return joined([...named, others > 0 && amount(others, 'other')], '; ');
}

/** Makes messages equal that differ only in numbers and quoted texts, which belong to single items. */
function withoutDetails(message: string): string {
	return message.slice(0, 1_000).replace(/"[^"]*"|'[^']*'|\d+/g, '#');
}

/** Cuts a message, and removes its full stop, because more follows. */
function short(message: string): string {
	const cut = message.length > MAX_CAUSE_LENGTH ? `${beginningOf(message, MAX_CAUSE_LENGTH)}…` : message;
	return cut.replace(/[.。]$/, '');
}

/** Says what a retry has reused from an earlier try, and what the next one pays for again. */
export function retryHints(
	{ reusedItems, lostItems, leftOut }: Pick<Payments, 'reusedItems' | 'lostItems' | 'leftOut'>,
	mayRetry: boolean,
): string[] {
	const hints: string[] = [];
	if (reusedItems.size > 0) {
		hints.push(
			`Reused paid results of an earlier try (${rowList(reusedItems)}). To generate them again, add Start Over on Retry to Limits and Retries.`,
		);
	}
	if (lostItems.size > 0) {
		hints.push(
			`Files of an earlier try no longer exist in n8n and had no link, so they were generated and paid for again (${rowList(lostItems)}).`,
		);
	}
	if (mayRetry && leftOut.size > 0) hints.push(leftOutNote(leftOut));
	return hints;
}

/** @param leftOut items whose results are too large to be kept for a retry */
export function leftOutNote(leftOut: Set<number>): string {
	const megabytes = MAX_KEPT_LENGTH / 1_000_000;
	return `A retry pays again for ${rowList(leftOut)}, because the results are too large to be kept with the execution (the limit is ${megabytes} MB). Send fewer items per run, for example with Loop Over Items.`;
}

/**
 * Returns what to write to the log when an execution is stopped. Except in queue mode, n8n then drops everything that
 * the node has.
 *
 * @returns undefined when nothing was paid for and nothing may have been
 */
export function stopReport(results: LinkedResult[], paidItems: Set<number>): string | undefined {
	const finished = new Set<number>();
	const unfinished = new Set<number>();
	const unclear = new Set<number>();
	const references: string[] = [];
	for (const linked of results) {
		const items = [linked.from].flat();
		const failure = 'failure' in linked ? linked.failure : undefined;
		const { json, files = {}, isForeign } = finishedBy(linked);
		const isUnclear = failure?.isUnclear === true;
		const continues = wasCancelled(linked);
		const isFinished = failure === undefined && !continues;
		const paid = isUnclear ? items : items.filter((item) => paidItems.has(item));
		for (const item of paid) (isUnclear ? unclear : isFinished ? finished : unfinished).add(item);
		if (isUnclear || isForeign || (paid.length === 0 && !continues)) continue;
		// The name of a file may be the beginning of a prompt.
		const ids = Object.values(files).flatMap(({ id }) => id ?? []);
		const candidates = [json.taskId, json.url, json.audioUrl, json.name, ids.join(', ')];
		const reference = candidates.map((one) => textOr(one)).find((one) => one !== '');
		if (reference !== undefined) references.push(`${rowList(items)}: ${reference}`);
	}
	if (finished.size + unfinished.size + unclear.size === 0) return undefined;
	const more = references.length - MAX_REFERENCES;
	const named = references.slice(0, MAX_REFERENCES).join('; ');
	const sentences = [
		'The execution was stopped.',
		finished.size > 0 && `Finished and paid for: ${rowList(finished)}.`,
		unfinished.size > 0 && `Paid for, but not finished: ${rowList(unfinished)}.`,
		unclear.size > 0 && `In progress, and possibly paid for: ${rowList(unclear)}.`,
		references.length > 0 && `References: ${joined([named, more > 0 && `and ${count(more)} more`], '; ')}.`,
	];
	return joined(sentences, ' ');
}
