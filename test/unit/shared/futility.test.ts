import { Futility } from '../../../nodes/shared/pacing/futility';

const MEASURED = 100 / 1_000;

describe('Refusals that have nothing to do with the rate', () => {
	let now: number;
	let perMs: number;
	let futility: Futility;
	beforeEach(() => {
		now = 0;
		perMs = 1 / 1_000;
		futility = new Futility(MEASURED);
	});
	/** Answers at the current rate; every `nth` of them is a refusal. */
	const answer = (answers: number, nth: number, everyMs = 1_000) => {
		for (let index = 1; index <= answers; index++) {
			now += everyMs;
			perMs = futility.answered(index % nth !== 0, perMs, now) ?? perMs;
		}
	};
	/** So many refusals for so long that a trial begins. */
	const begin = () => {
		answer(30, 3);
		perMs /= 2.5;
		for (let time = 0; !futility.holds && time < 200; time++) answer(3, 3);
		expect(futility.holds).toBe(true);
	};

	it('are assumed when they go on for long although the rate is much lower: it rises', () => {
		begin();
		const raised = perMs;
		expect(raised).toBeGreaterThanOrEqual(4 / 2.5 / 1_000);
		answer(40, 3);
		expect(perMs).toBe(4 * raised);
		answer(400, 3);
		expect(perMs).toBe(MEASURED);
		expect(futility.holds).toBe(true);
	});

	it.each([
		['the rate is hardly lower', 1.5, 3, 200],
		['it has not been for long', 2.5, 3, 60],
		['few are refused', 2.5, 20, 200],
		['most are refused', 2.5, 1, 200],
	])('are not assumed if %s', (_name, lowered, nth, answers) => {
		answer(30, nth);
		perMs /= lowered;
		answer(answers, nth);
		expect(futility.holds).toBe(false);
	});

	it('need more answers to be sure if fewer are refused', () => {
		answer(30, 9);
		perMs /= 2.5;
		answer(150, 9);
		expect(futility.holds).toBe(false);
		answer(150, 9);
		expect(futility.holds).toBe(true);
	});

	it('count from the beginning when the share was found anew', () => {
		answer(30, 3);
		perMs /= 2.5;
		answer(100, 3);
		futility.reset();
		answer(60, 3);
		expect(futility.holds).toBe(false);
	});

	it('count from the beginning after a time without any', () => {
		answer(30, 3);
		perMs /= 2.5;
		answer(80, 1_000);
		answer(60, 3);
		expect(futility.holds).toBe(false);
	});

	it('were due to the rate if many more are refused at a higher one, twice in a row', () => {
		begin();
		const raised = perMs;
		answer(23, 1);
		expect(perMs).toBe(raised);
		expect(futility.holds).toBe(true);
		answer(23, 1);
		expect(futility.holds).toBe(false);
		expect(perMs).toBeCloseTo(1 / 2.5 / 1_000);
	});

	it('are no coincidence only in a row', () => {
		begin();
		for (let time = 0; time < 3; time++) {
			answer(23, 1);
			answer(60, 3);
		}
		expect(futility.holds).toBe(true);
	});

	it('are not assumed again for a while, and for longer each time', () => {
		const trialAfterMs = () => {
			const since = now;
			for (let time = 0; !futility.holds && time < 20; time++) {
				perMs = 1 / 1_000;
				answer(3, 3);
				perMs /= 2.5;
				for (let index = 0; !futility.holds && index < 60; index++) answer(3, 3);
			}
			const afterMs = now - since;
			for (let time = 0; futility.holds && time < 100; time++) answer(1, 1);
			return afterMs;
		};
		const [first, ...later] = Array.from({ length: 5 }, trialAfterMs);
		expect(first).toBeLessThan(200_000);
		expect(later[0]).toBeGreaterThan(first);
		expect(later[3]).toBeGreaterThan(2 * later[0]);
	});

	it('are over when fewer are refused at a higher rate', () => {
		begin();
		answer(45, 1_000);
		expect(futility.holds).toBe(false);
	});
});
