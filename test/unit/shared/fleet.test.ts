import { Fleet } from '../../../bench/fleet/fleet';
import { measure } from '../../../bench/fleet/measure';
import { LIMITS, PROMISES, promisedScenariosOf, type Scenario } from '../../../bench/fleet/scenarios';

const fleets = [10, 100].flatMap((processes) =>
	LIMITS[processes].flatMap((limit) =>
		promisedScenariosOf(processes, limit).map((scenario) => ({ processes, limit, scenario })),
	),
);
const cases = fleets.map(
	({ processes, limit, scenario }) =>
		[`${processes}, ${limit.requests} per second, ${limit.kind}: ${scenario.name}`, scenario] as const,
);

describe('Processes that share nothing but the limit of a gateway', () => {
	it('are ten and a hundred, at three kinds of limits', () => {
		expect(cases).toHaveLength(12);
	});

	it.each(cases)(
		'use it within a minute, few are refused, and nothing is lost: %s',
		async (_name, scenario) => {
			const { settings, periods, compared }: Scenario = scenario;
			const measured = measure(await new Fleet(settings).run(), periods, compared);
			expect(measured.used).toBeGreaterThanOrEqual(PROMISES.used);
			expect(measured.refused).toBeLessThanOrEqual(PROMISES.refused);
			expect(measured.settledAfter).toBeLessThanOrEqual(PROMISES.settledAfter);
			expect(measured.lost).toBe(0);
		},
	);
});
