import type { Ledger } from '../gateway/ledger';
import { type Exit, logProgress, logWarning, showHint } from './exits';
import { hasFailure, type LinkedResult } from './operation';
import type { Payments } from './payments';
import { REPORT_EVERY_MS } from './progress';
import { retryHints, stopReport } from './retryReport';
import { summaryOf } from './summary';

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
