import { Fleet } from '../../../bench/fleet/fleet';
import { measure } from '../../../bench/fleet/measure';
import { LIMITS, PROMISES, scenariosOf } from '../../../bench/fleet/scenarios';

/** Limits of at least one request per second for each process. */
const limits = [10, 100].flatMap((processes) =>
	LIMITS[processes]
		.filter(({ perMs, requests }) => perMs === 1_000 && requests >= processes)
		.map((limit) => ({ processes, limit })),
);

describe('Processes that share nothing but the limit of a gateway', () => {
	it.each(limits)('use it, and few are refused: %o', async ({ processes, limit }) => {
		const [{ settings, periods, compared }] = scenariosOf(processes, limit);
		const measured = measure(await new Fleet(settings).run(), periods, compared);
		expect(measured.used).toBeGreaterThanOrEqual(PROMISES.used);
		expect(measured.refused).toBeLessThanOrEqual(PROMISES.refused);
		expect(measured.lost).toBe(0);
	});

	const small = limits.filter(({ processes }) => processes === 10);
	it.each(small)('make room for a third of them that restarts, and lose nothing: %o', async (fleet) => {
		const restart = scenariosOf(fleet.processes, fleet.limit)[2];
		const measured = measure(await new Fleet(restart.settings).run(), restart.periods, restart.compared);
		expect(measured.used).toBeGreaterThanOrEqual(PROMISES.used);
		expect(measured.refused).toBeLessThanOrEqual(PROMISES.refused);
		expect(measured.lost).toBe(0);
	});
});
