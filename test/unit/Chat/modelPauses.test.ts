import { ModelPauses } from '../../../nodes/Chat/fallback/modelPauses';

const MINUTE = 60_000;

/** Pauses of a gateway about which nothing has been learned. */
function newPauses(): ModelPauses {
	const facts = new Map<string, unknown>();
	return new ModelPauses({
		recall: <T>(about: string) => facts.get(about) as T | undefined,
		note: (about, fact) => void facts.set(about, fact),
	});
}

describe('Pauses of models that are not available', () => {
	const failure = { reason: 'busy', refusedForMs: 0 };

	it('begin with 30 seconds, and end with one request while the others stay away', () => {
		const pauses = newPauses();
		expect(pauses.reasonToSkip('a', 0)).toBeUndefined();
		pauses.failed('a', { ...failure, askedAt: 0, now: 1000 });
		expect(pauses.reasonToSkip('a', 30_999)).toBe('busy');
		expect(pauses.reasonToSkip('b', 1000)).toBeUndefined();
		expect(pauses.reasonToSkip('a', 31_000)).toBeUndefined();
		expect(pauses.reasonToSkip('a', 31_001)).toBe('busy');
		pauses.answered('a');
		expect(pauses.reasonToSkip('a', 31_002)).toBeUndefined();
	});

	it('double with each failure up to ten minutes, and begin anew after an answer', () => {
		const pauses = newPauses();
		const lengths: number[] = [];
		let now = 0;
		for (let round = 0; round < 7; round++) {
			pauses.failed('a', { ...failure, askedAt: now, now });
			const start = now;
			while (pauses.reasonToSkip('a', now) !== undefined) now += 1000;
			lengths.push((now - start) / MINUTE);
		}
		expect(lengths).toEqual([0.5, 1, 2, 4, 8, 10, 10]);
		pauses.answered('a');
		pauses.failed('a', { ...failure, askedAt: now, now });
		expect(pauses.reasonToSkip('a', now + 29_999)).toBe('busy');
		expect(pauses.reasonToSkip('a', now + 30_000)).toBeUndefined();
	});

	it('count failures of requests that were under way at once as one', () => {
		const pauses = newPauses();
		for (const now of [100, 200, 300]) pauses.failed('a', { ...failure, askedAt: 50, now });
		expect(pauses.reasonToSkip('a', 30_099)).toBe('busy');
		expect(pauses.reasonToSkip('a', 30_100)).toBeUndefined();
	});

	it.each([
		[5 * MINUTE, 5 * MINUTE],
		[5_000, MINUTE / 2],
	])('are as long as the gateway itself refuses the model, or longer: %i ms', (refusedForMs, lengthMs) => {
		const pauses = newPauses();
		pauses.failed('a', { reason: 'limit', refusedForMs, askedAt: 0, now: 0 });
		expect(pauses.reasonToSkip('a', lengthMs - 1)).toBe('limit');
		expect(pauses.reasonToSkip('a', lengthMs)).toBeUndefined();
	});
});
