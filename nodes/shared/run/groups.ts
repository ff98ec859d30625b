import { toFailure } from '../errors/gatewayFailure';
import { groupBy } from '../plain/values';
import type { PoolShare } from './askInBatches';
import type { Call } from './call';
import type { LinkedResult } from './operation';
import { runPool } from './pool';

/** What a batch operation does with items that share requests. */
export interface GroupWork<Job> {
	/** Reads the parameters of an item. @throws GatewayFailure, which then fails this item alone */
	read(call: Call): Job;
	/** Jobs with the same key share requests. */
	keyOf(job: Job): string;
	/**
	 * Handles the jobs of one group; it must not reject.
	 *
	 * @param share the group's share of the run's concurrency
	 */
	run(jobs: Job[], share: PoolShare): Promise<LinkedResult[]>;
}

/** What became of the items. */
export interface GroupResults {
	/** How many groups there were. */
	groups: number;
	/** The results of the groups, in the order of the groups. */
	results: LinkedResult[];
	/** Items whose parameters could not be used. */
	failures: LinkedResult[];
}

/**
 * Runs an operation whose items share requests: reads all items, groups those with the same settings, and runs the
 * groups, which together have about Max Concurrency requests in progress.
 *
 * Unless the node continues on failure, nothing is sent when the parameters of an item cannot be used, and no group
 * starts after an item has failed.
 */
export async function runInGroups<Job>(calls: Call[], work: GroupWork<Job>): Promise<GroupResults> {
	const [{ capacity, pool }] = calls;
	const stopAtFailure = pool.stopsAt !== undefined;
	const jobs: Job[] = [];
	const failures: LinkedResult[] = [];
	for (const call of calls) {
		try {
			jobs.push(work.read(call));
		} catch (error) {
			failures.push({ from: call.itemIndex, failure: toFailure(error) });
		}
	}
	if (stopAtFailure && failures.length > 0) return { groups: 0, results: [], failures };

	const groups = groupBy(jobs, (job) => work.keyOf(job));
	const share: PoolShare = { capacity, stopAtFailure };
	// No cancel signal: the groups that start after a cancellation fail at once, so that every item has a result.
	const { stopsAt } = pool;
	const results = await runPool(groups, async (group) => await work.run(group, share), {
		capacity,
		stopsAt,
	});
	return { groups: groups.length, results: results.flatMap((result) => result ?? []), failures };
}
