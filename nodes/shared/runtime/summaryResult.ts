import type { IDataObject } from 'n8n-workflow';
import { type Ledger, withoutRounding } from '../gateway/ledger';
import type { LinkedResult } from './operation';

/** What {@link summaryResult} says besides the ledger. */
interface RunFacts {
	/** How many input items there were. */
	total: number;
	tookMs: number;
	/** How many items got their result from an earlier try, or from an equal request. */
	reusedItems: number;
	sharedItems: number;
}

/**
 * What a run has used, linked to all input items. Amounts that no answer has reported are missing, rather than 0.
 */
export function summaryResult(results: LinkedResult[], ledger: Ledger, facts: RunFacts): LinkedResult {
	const { total, tookMs, reusedItems, sharedItems } = facts;
	const failed = new Set(results.flatMap((linked) => ('failure' in linked ? linked.from : [])));
	const { accounts, requests, retries, waitedMs } = ledger;
	const json: IDataObject = {
		items: total,
		failedItems: failed.size,
		reusedItems,
		sharedItems,
		requests,
		retries,
		...sumOf(accounts),
		seconds: seconds(tookMs),
		secondsWaited: seconds(waitedMs),
		models: accounts.map((account) => ({ ...account })),
	};
	return { from: Array.from({ length: total }, (_, item) => item), result: { json } };
}

/** The amounts of all models together. */
function sumOf(accounts: Ledger['accounts']): IDataObject {
	const sum: Record<string, number> = {};
	for (const account of accounts) {
		for (const [name, amount] of Object.entries(account)) {
			// The requests are counted already.
			if (name !== 'requests' && typeof amount === 'number') sum[name] = (sum[name] ?? 0) + amount;
		}
	}
	return 'cost' in sum ? { ...sum, cost: withoutRounding(sum.cost) } : sum;
}

function seconds(milliseconds: number): number {
	return Math.round(milliseconds / 100) / 10;
}
