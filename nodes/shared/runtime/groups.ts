import { toFailure, type GatewayFailure } from '../errors/gatewayFailure';
import type { Call } from './call';
import { runPool } from './pool';

/** Items whose parameters could be read, and the failures of the others. */
export interface ReadJobs<Job> {
	jobs: Job[];
	failures: Array<{ from: number; failure: GatewayFailure }>;
}

/** Reads the parameters of each item; an item whose parameters cannot be used fails alone. */
export function readJobs<Job>(calls: Call[], read: (call: Call) => Job): ReadJobs<Job> {
	const result: ReadJobs<Job> = { jobs: [], failures: [] };
	for (const call of calls) {
		try {
			result.jobs.push(read(call));
		} catch (error) {
			result.failures.push({ from: call.itemIndex, failure: toFailure(error) });
		}
	}
	return result;
}

/** Entries with the same key together, both groups and entries in the order in which they came. */
export function groupBy<Entry>(entries: Entry[], keyOf: (entry: Entry) => string): Entry[][] {
	const groups = new Map<string, Entry[]>();
	for (const entry of entries) {
		const key = keyOf(entry);
		const group = groups.get(key);
		if (group) group.push(entry);
		else groups.set(key, [entry]);
	}
	return [...groups.values()];
}

/**
 * Runs `worker` for each group; all of them together have about `maxConcurrency` requests under way.
 *
 * @param worker gets its share of the concurrency; must not reject
 * @param mayStart asked before each group
 */
export async function runGroups<Entry>(
	groups: Entry[][],
	maxConcurrency: number,
	worker: (group: Entry[], concurrency: number) => Promise<void>,
	mayStart: () => boolean,
): Promise<void> {
	const share = Math.max(1, Math.floor(maxConcurrency / Math.max(1, groups.length)));
	await runPool(groups.length, maxConcurrency, async (index) => await worker(groups[index], share), mayStart);
}
