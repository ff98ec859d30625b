import { type Measured, type Phase, WidthSearch } from '../../../nodes/shared/limiter/widthSearch';

const LATENCY_MS = 200;

/** A gateway whose answers take so long when so many requests are in progress. */
type Gateway = (inProgress: number) => number;

const queues =
	(capacity: number): Gateway =>
	(inProgress) =>
		LATENCY_MS * Math.max(1, inProgress / capacity);

function measuredAt(gateway: Gateway, width: number, more: Partial<Measured> = {}): Measured {
	const inProgress = Math.floor(width);
	const latencyMs = gateway(inProgress);
	return { width, inProgress, latencyMs, variation: 0, answers: 12, canGrow: width < 100, ...more };
}

/** The widths that are tried one after the other, from ten on. */
function search(gateway: Gateway, steps: number, widest = 100) {
	const found = new WidthSearch(measuredAt(gateway, 5));
	const trials: Array<{ phase: Phase; width: number }> = [{ phase: 'growing', width: 10 }];
	for (let step = 0; step < steps; step++) {
		const { phase, width } = trials[step];
		const measured = measuredAt(gateway, width, { canGrow: width < widest });
		const next = phase === 'growing' ? found.afterGrowing(measured) : found.after(phase, measured);
		trials.push({ phase: next.phase, width: Math.min(widest, next.width) });
	}
	return { trials, found };
}
const widths = (trials: Array<{ width: number }>) => trials.map(({ width }) => Math.round(width));

describe('The search for a width', () => {
	it('triples it while answers come as fast as ever, up to the widest', () => {
		const { trials } = search(() => LATENCY_MS, 4);
		expect(widths(trials)).toEqual([10, 30, 90, 100, 100]);
		expect(trials.map(({ phase }) => phase)).toEqual(['growing', 'growing', 'growing', 'growing', 'settled']);
	});

	it.each([4, 8, 20, 35])(
		'stays near what a gateway processes at once, if it queues above %i',
		(capacity) => {
			const { trials } = search(queues(capacity), 40);
			const settled = trials.slice(10).filter(({ phase }) => phase === 'settled');
			for (const { width } of settled) {
				expect(Math.floor(width)).toBeGreaterThanOrEqual(capacity);
				expect(width).toBeLessThan(1.5 * capacity + 1);
			}
		},
	);

	it('goes on as long as more is answered, if the gateway slows down gradually', () => {
		const { trials } = search((inProgress) => LATENCY_MS * (1 + inProgress / 20), 40);
		const last = trials.slice(-10).filter(({ phase }) => phase === 'settled');
		expect(last.length).toBeGreaterThan(0);
		for (const { width } of last) expect(width).toBeGreaterThan(60);
	});

	it('goes back if the gateway becomes slower the more it has to do', () => {
		const { trials } = search((inProgress) => LATENCY_MS * (1 + (inProgress / 20) ** 2), 40);
		for (const { width } of trials.slice(10)) expect(width).toBeLessThan(30);
	});

	it('follows a gateway that becomes narrow, and wide again', () => {
		let capacity = 40;
		const { found, trials } = search((inProgress) => queues(capacity)(inProgress), 20);
		let step = trials.at(-1)!;
		const after = (steps: number) => {
			for (let count = 0; count < steps; count++) {
				const measured = measuredAt(queues(capacity), step.width);
				const next =
					step.phase === 'growing' ? found.afterGrowing(measured) : found.after(step.phase, measured);
				step = { ...next, width: Math.min(100, next.width) };
			}
			return step.width;
		};
		capacity = 8;
		expect(after(6)).toBeLessThan(16);
		capacity = 40;
		expect(after(8)).toBeGreaterThan(32);
	});

	it('grows once more than usual if latencies vary, because few answers say little', () => {
		const varying = new WidthSearch(measuredAt(() => LATENCY_MS, 5, { variation: 0.5, answers: 5 }));
		const slow = { ...measuredAt(() => 2 * LATENCY_MS, 10), variation: 0.5, answers: 4 };
		expect(varying.afterGrowing(slow)).toEqual({ phase: 'growing', width: 30 });
		const constant = new WidthSearch(measuredAt(() => LATENCY_MS, 5));
		expect(constant.afterGrowing({ ...slow, variation: 0 }).phase).toBe('settled');
	});

	it('learns how long an answer takes when requests do not wait for each other', () => {
		expect(search(queues(20), 30).found.usualMs).toBeLessThan(1.3 * LATENCY_MS);
		expect(search(() => LATENCY_MS, 5).found.usualMs).toBe(LATENCY_MS);
	});
});
