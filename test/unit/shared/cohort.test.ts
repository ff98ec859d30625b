import { Cohort, type Member } from '../../../nodes/shared/limiter/cohort';

describe('A cohort of requests', () => {
	const take = (cohort: Cohort, ...inProgress: number[]) =>
		inProgress.map((count) => {
			const member: Member = { inProgress: count };
			return cohort.take(member) ? member : undefined;
		});

	it('takes requests until it is full, but none that was sent while fewer were in progress', () => {
		const cohort = new Cohort(10, 3, 8);
		const members = take(cohort, 7, 8, 9, 10, 10);
		expect(members.map((member) => member?.cohort === cohort)).toEqual([false, true, true, true, false]);
	});

	it('knows the latency of the early ones as soon as it is full and they are answered', () => {
		const cohort = new Cohort(10, 5, 1);
		take(cohort, 1, 2, 3, 4);
		for (const latencyMs of [300, 100]) cohort.answered(latencyMs);
		expect(cohort.early).toBeUndefined();
		take(cohort, 5);
		expect(cohort.early).toBe(300);
		cohort.answered(200);
		expect(cohort.early).toBe(200);
		expect(cohort.isComplete).toBe(false);
		for (const latencyMs of [200, 400]) cohort.answered(latencyMs);
		expect(cohort.isComplete).toBe(true);
		expect(cohort.mean).toBe(240);
		expect(cohort.variation).toBeCloseTo(0.475, 3);
	});

	it('counts how many requests were in progress, with the next one, but not more than were allowed', () => {
		const cohort = new Cohort(10.5, 3, 1);
		take(cohort, 4, 6);
		expect(cohort.meanInProgress).toBe(6);
		take(cohort, 20);
		expect(cohort.meanInProgress).toBe(10);
	});

	it('takes another one for a member that ended without an answer', () => {
		const cohort = new Cohort(10, 2, 1);
		const [first] = take(cohort, 5, 5);
		cohort.drop(first!);
		expect(cohort.isComplete).toBe(false);
		expect(take(cohort, 7)[0]?.cohort).toBe(cohort);
		expect(cohort.meanInProgress).toBe(7);
	});
});
