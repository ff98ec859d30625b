import type { Ledger } from '../send/ledger';
import { type Exit, logProgress, logWarning, showHint } from './exits';
import { hasFailure, type LinkedResult } from './operation';
import type { Payments } from './payments';
import { amount, count, durationInWords, REPORT_EVERY_MS } from './progress';
import { retryHints, stopReport } from './retryReport';

/** How many causes of failures a summary names, and how much of each. */
const MAX_CAUSES = 3;
const MAX_CAUSE_LENGTH = 120;

/** What a report says besides the results. */
interface RunFacts {
	/** How many input items there were. */
	total: number;
	tookMs: number;
	ledger: Ledger;
	payments: Payments;
	/** Whether the node fails, so that n8n shows none of its hints. */
	fails: boolean;
	/** Items with results that a retry pays for again. */
	leftOut: number[];
	/** Whether the execution was stopped. */
	isStopped: boolean;
}

/** Sums a run up, says what was taken over from an earlier try, and at a stop what is finished and paid for. */
export async function reportRun(exit: Exit, results: LinkedResult[], facts: RunFacts): Promise<void> {
	const { total, tookMs, ledger, fails, isStopped } = facts;
	const { reusedItems, lostItems, paidItems } = facts.payments;
	const summary = summaryOf(results, { total, tookMs, ledger });
	if (summary && tookMs >= REPORT_EVERY_MS) logProgress(exit, summary);
	const leftOut = hasFailure(results) && !fails ? facts.leftOut : [];
	const sentences = [
		...(summary && !fails ? [summary] : []),
		...retryHints({ reusedItems, lostItems, leftOut }),
	];
	if (sentences.length > 0) showHint(exit, sentences.join(' '));
	const stop = isStopped ? stopReport(results, paidItems) : undefined;
	if (stop) await logWarning(exit, stop.message, stop.data);
}

/**
 * What a run did, for the person who looks at its output.
 *
 * @param total how many input items there were
 * @returns undefined for a single item that simply succeeded, because its output says everything
 */
export function summaryOf(
	results: LinkedResult[],
	{ total, tookMs, ledger }: { total: number; tookMs: number; ledger: Ledger },
): string | undefined {
	const failures = results.filter((linked) => 'failure' in linked);
	const failedItems = new Set(failures.flatMap(({ from }) => from));
	const waitedSeconds = Math.round(ledger.waitedMs / 1000);
	const isPlain = total === 1 && failures.length === 0 && ledger.retries === 0 && waitedSeconds === 0;
	if (isPlain || (total === 1 && ledger.requests === 0)) return undefined;
	const { tokens, requests, retries } = ledger;
	const used = [
		...(tokens.input > 0 ? [`${count(tokens.input)} input`] : []),
		...(tokens.output > 0 ? [`${count(tokens.output)} output`] : []),
	];
	const failed = failedItems.size > 0 ? `, ${count(failedItems.size)} failed` : '';
	return [
		`${amount(total, 'item')} in ${durationInWords(tookMs)}: ${count(total - failedItems.size)} done${failed}.`,
		...(failures.length > 0
			? [`Failures: ${causesOf(failures.map(({ failure }) => failure.message))}.`]
			: []),
		requests === 0
			? 'Nothing was sent.'
			: `${amount(requests, 'request')}${retries > 0 ? `, of which ${count(retries)} repeated an earlier one` : ''}.`,
		...(used.length > 0 ? [`Tokens: ${used.join(', ')}.`] : []),
		...(ledger.cost > 0 ? [`Cost reported by the gateway: ${costInWords(ledger.cost)}.`] : []),
		...(waitedSeconds > 0 ? [`Waited ${durationInWords(ledger.waitedMs)} for limits of the gateway.`] : []),
	].join(' ');
}

/** Without the digits of rounding errors. */
function costInWords(cost: number): string {
	return cost.toLocaleString('en-US', { maximumSignificantDigits: 6 });
}

/** The causes of failures with their numbers, the most frequent first. */
function causesOf(messages: string[]): string {
	const causes = new Map<string, { message: string; times: number }>();
	for (const message of messages) {
		const key = withoutDetails(message);
		const known = causes.get(key);
		causes.set(key, { message: known?.message ?? message, times: (known?.times ?? 0) + 1 });
	}
	const sorted = [...causes.values()].sort((one, other) => other.times - one.times);
	const named = sorted
		.slice(0, MAX_CAUSES)
		.map(({ message, times }) => `${count(times)} × ${short(message)}`);
	const others = sorted.slice(MAX_CAUSES).reduce((sum, { times }) => sum + times, 0);
	return [...named, ...(others > 0 ? [amount(others, 'other')] : [])].join('; ');
}

/** The same for messages that differ only in numbers and quoted texts, which belong to single items. */
function withoutDetails(message: string): string {
	return message.slice(0, 1_000).replace(/"[^"]*"|'[^']*'|\d+/g, '#');
}

/** Cut after a word, if there is one near the end. */
function short(message: string): string {
	if (message.length <= MAX_CAUSE_LENGTH) return message;
	const cut = message.slice(0, MAX_CAUSE_LENGTH - 2);
	const end = cut.lastIndexOf(' ');
	return `${end > MAX_CAUSE_LENGTH / 2 ? cut.slice(0, end) : cut} …`;
}
