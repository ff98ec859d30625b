import { GatewayFailure } from '../../../nodes/shared/errors/gatewayFailure';
import type { Call } from '../../../nodes/shared/run/call';
import { runInGroups } from '../../../nodes/shared/run/groups';
import type { LinkedResult } from '../../../nodes/shared/run/operation';
import { Capacity } from '../../../nodes/shared/run/pool';

const failure = new GatewayFailure('input', 'Bad', '');

interface Job {
	item: number;
	key: string;
}

/** Calls of items whose settings are these keys; `bad` cannot be used. */
function groupsOf(
	keys: string[],
	{
		parallelRequests = 4,
		stops = false,
		failing = '',
	}: { parallelRequests?: number; stops?: boolean; failing?: string },
) {
	const ran: number[][] = [];
	const stopsAt = stops
		? (results: object) => (results as LinkedResult[]).some((one) => 'failure' in one)
		: undefined;
	const capacity = new Capacity(() => parallelRequests);
	const calls = keys.map((key, itemIndex) => ({ itemIndex, key, capacity, pool: { capacity, stopsAt } }));
	const work = {
		read: (call: Call) => {
			const { itemIndex, key } = call as unknown as (typeof calls)[number];
			if (key === 'bad') throw failure;
			return { item: itemIndex, key };
		},
		keyOf: ({ key }: Job) => key,
		run: async (jobs: Job[]): Promise<LinkedResult[]> => {
			ran.push(jobs.map(({ item }) => item));
			return jobs.map(({ item, key }) =>
				key === failing ? { from: item, failure } : { from: item, result: { json: { key } } },
			);
		},
	};
	return { ran, results: runInGroups(calls as unknown as Call[], work) };
}

const itemsOf = (results: LinkedResult[]) => results.map(({ from }) => from);

describe('Items that share requests', () => {
	it('are grouped by their settings', async () => {
		const { ran, results } = groupsOf(['a', 'b', 'a', 'b'], {});
		const { groups, results: linked } = await results;
		expect(ran).toEqual([
			[0, 2],
			[1, 3],
		]);
		expect([groups, itemsOf(linked)]).toEqual([2, [0, 2, 1, 3]]);
	});

	it('fail alone if their parameters cannot be used', async () => {
		const { ran, results } = groupsOf(['a', 'bad', 'a'], {});
		expect(await results).toEqual({
			groups: 1,
			results: [
				{ from: 0, result: { json: { key: 'a' } } },
				{ from: 2, result: { json: { key: 'a' } } },
				{ from: 1, failure },
			],
		});
		expect(ran).toHaveLength(1);
	});

	it('may all fail', async () => {
		const { results } = groupsOf(['bad'], {});
		expect(await results).toEqual({ groups: 0, results: [{ from: 0, failure }] });
	});

	it('are not sent at all if one cannot be used and the run stops at failures', async () => {
		const { ran, results } = groupsOf(['a', 'bad'], { stops: true });
		expect(await results).toEqual({ groups: 0, results: [{ from: 1, failure }] });
		expect(ran).toEqual([]);
	});

	it('start no further group after a failure if the run stops at failures', async () => {
		const stopped = groupsOf(['a', 'b', 'c'], { stops: true, failing: 'b', parallelRequests: 1 });
		const { groups, results } = await stopped.results;
		expect(stopped.ran).toEqual([[0], [1]]);
		expect([groups, itemsOf(results)]).toEqual([3, [0, 1]]);
		const continued = groupsOf(['a', 'b', 'c'], { failing: 'b', parallelRequests: 1 });
		expect(itemsOf((await continued.results).results)).toEqual([0, 1, 2]);
	});
});
