import { toFailure } from '../shared/failure/failure';
import { groupBy } from '../shared/plain/values';
import type { Call } from '../shared/run/call';
import type { LinkedResult } from '../shared/run/operation';
import { runPool } from '../shared/run/pool';

/** The work of a batch operation for items that share requests. */
interface GroupWork<Job> {
	/** Reads the parameters of an item. @throws GatewayFailure, which then fails this item alone */
	read(call: Call): Job;
	/** Jobs with the same key share requests. */
	keyOf(job: Job): string;
	/** Handles the jobs of one group; it must not reject. */
	run(jobs: Job[]): Promise<LinkedResult[]>;
}

/**
 * Runs an operation whose items share requests. Unless the node continues on failure, nothing is sent when the
 * parameters of an item cannot be used, and no group starts after an item has failed. @returns the results, and the
 * number of groups
 */
export async function runInGroups<Job>(
	calls: Call[],
	work: GroupWork<Job>,
): Promise<{ groups: number; results: LinkedResult[] }> {
	const [{ pool }] = calls;
	const jobs: Job[] = [];
	const failures: LinkedResult[] = [];
	for (const call of calls) {
		try {
			jobs.push(work.read(call));
		} catch (error) {
			failures.push({ from: call.itemIndex, failure: toFailure(error) });
		}
	}
	if (pool.stopsAt && failures.length > 0) return { groups: 0, results: failures };

	const groups = groupBy(jobs, (job) => work.keyOf(job));
	// No cancel signal: the groups that start after a cancellation fail at once, so that every item has a result.
	const { capacity, stopsAt } = pool;
	const results = await runPool(groups, async (group) => await work.run(group), { capacity, stopsAt });
	return { groups: groups.length, results: [...results.flatMap((result) => result ?? []), ...failures] };
}
