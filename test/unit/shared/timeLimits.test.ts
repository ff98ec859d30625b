import {
	CHECK_EVERY_MS,
	CONNECTION_LIMIT_MS,
	Stopwatch,
	TimeLimits,
} from '../../../nodes/shared/send/timeLimits';
import { FakeClock } from '../fakeClock';

/** Chunks that arrive with a pause before each of them, in milliseconds. */
async function* arriving(clock: FakeClock, ...pauses: number[]): AsyncGenerator<number> {
	for (const [index, pause] of pauses.entries()) {
		await clock.sleep(pause);
		yield index;
	}
}

/** A stopwatch, and what it does while some work is under way. */
function stopwatchOf(limitMs: number, totalMs?: number, signal?: AbortSignal) {
	const clock = new FakeClock();
	const limits = new TimeLimits(clock);
	const stopwatch = new Stopwatch(limits, signal, limitMs, totalMs);
	const startedAt = clock.now();
	let stoppedAfter: number | undefined;
	stopwatch.signal.addEventListener('abort', () => (stoppedAfter = clock.now() - startedAt));
	/** Does some work, and returns when the stopwatch stopped it, if it did. */
	const during = async (work: (clock: FakeClock) => Promise<unknown>) => {
		await clock.run(work(clock));
		stopwatch.stop();
		return stoppedAfter;
	};
	return { clock, limits, stopwatch, during };
}
const read = async (chunks: AsyncGenerator<unknown>, each: () => Promise<unknown> = async () => {}) => {
	while (!(await chunks.next()).done) await each();
};

describe('The time limit of a request', () => {
	it('stops it when its time is up, and not before', async () => {
		const { stopwatch, during } = stopwatchOf(1_000);
		const stoppedAfter = await during(async (clock) => await clock.sleep(5_000));
		expect(stoppedAfter).toBeGreaterThanOrEqual(1_000);
		expect(stoppedAfter).toBeLessThanOrEqual(1_000 + CHECK_EVERY_MS);
		expect(stopwatch.exceeded).toBe('silence');
		const inTime = stopwatchOf(1_000);
		expect(await inTime.during(async (clock) => await clock.sleep(900))).toBeUndefined();
		expect(inTime.stopwatch.exceeded).toBeUndefined();
	});

	it('no longer counts once the request has ended', async () => {
		const { clock, stopwatch } = stopwatchOf(1_000);
		stopwatch.stop();
		await clock.run(clock.sleep(5_000));
		expect(stopwatch.signal.aborted).toBe(false);
	});

	it('is checked by one timer for all requests, which ends after the last one and begins anew with the next', async () => {
		const clock = new FakeClock();
		const sleep = jest.spyOn(clock, 'sleep');
		const limits = new TimeLimits(clock);
		const watches = [1, 2, 3].map(() => new Stopwatch(limits, undefined, 1e9));
		expect(sleep.mock.calls).toEqual([[CHECK_EVERY_MS]]);
		for (const watch of watches) watch.stop();
		await clock.run(clock.sleep(10 * CHECK_EVERY_MS));
		const calls = sleep.mock.calls.length;
		await clock.run(clock.sleep(10 * CHECK_EVERY_MS));
		expect(sleep).toHaveBeenCalledTimes(calls + 1);
		const next = new Stopwatch(limits, undefined, 100);
		await clock.run(clock.sleep(1_000));
		expect(next.exceeded).toBe('silence');
	});
});

describe('A request of an execution that is stopped', () => {
	it('is stopped with it, which is no matter of time', () => {
		const execution = new AbortController();
		const { stopwatch } = stopwatchOf(1_000, undefined, execution.signal);
		expect(stopwatch.signal.aborted).toBe(false);
		execution.abort();
		expect([stopwatch.signal.aborted, stopwatch.exceeded]).toEqual([true, undefined]);
	});

	it('leaves no listener at the signal of the execution', () => {
		const execution = new AbortController();
		const add = jest.spyOn(execution.signal, 'addEventListener');
		const { stopwatch } = stopwatchOf(1_000, undefined, execution.signal);
		stopwatch.stop();
		expect(add).not.toHaveBeenCalled();
	});
});

describe('A response that is passed on while it arrives', () => {
	const many = (pause: number) => new Array<number>(20).fill(pause);

	/** Reads a response whose chunks arrive with pauses; `progress` is what counts besides bytes. */
	interface Arrival {
		pauses: number[];
		handlingMs?: number;
		progress?: 'reported' | 'none';
		totalMs?: number;
	}
	it.each<[string, Arrival, number | undefined]>([
		['may take long as long as something arrives', { pauses: many(800) }, undefined],
		['is stopped by a silence', { pauses: [800, 800, 3_000] }, 2_600],
		['may be handled slowly by its reader', { pauses: [100, 100, 100], handlingMs: 5_000 }, undefined],
		['is stopped if only progress counts and there is none', { pauses: many(300), progress: 'none' }, 1_000],
		['goes on if progress is reported', { pauses: many(300), progress: 'reported' }, undefined],
		[
			'is not charged for the time of its reader if only progress counts',
			{ pauses: [100, 100, 100], handlingMs: 5_000, progress: 'none' },
			undefined,
		],
		['may take as long as its total limit', { pauses: many(500), totalMs: 3_000 }, 3_000],
	])('%s', async (_what, { pauses, handlingMs = 0, progress, totalMs }, stops) => {
		const { stopwatch, during } = stopwatchOf(1_000, totalMs);
		const report = progress && stopwatch.countOnlyProgress();
		const stoppedAfter = await during(async (clock) => {
			await read(stopwatch.countSilence(arriving(clock, ...pauses)), async () => {
				await clock.sleep(handlingMs);
				if (progress === 'reported') report?.();
			});
		});
		if (stops === undefined) return expect(stoppedAfter).toBeUndefined();
		expect(stoppedAfter).toBeGreaterThanOrEqual(stops);
		expect(stoppedAfter).toBeLessThanOrEqual(stops + CHECK_EVERY_MS);
		expect(stopwatch.exceeded).toBe(totalMs === undefined ? 'silence' : 'total');
	});
});

describe('A file that is sent', () => {
	it('may take long as long as the network accepts something', async () => {
		const { stopwatch, during } = stopwatchOf(1_000);
		const stoppedAfter = await during(async (clock) => {
			await read(stopwatch.countUpload(arriving(clock, 800, 800, 800)));
			await clock.sleep(800);
		});
		expect(stoppedAfter).toBeUndefined();
	});

	it('is stopped when the network accepts nothing, or nothing answers after it', async () => {
		const stuck = stopwatchOf(1_000);
		const slowly = async (clock: FakeClock) =>
			await read(stuck.stopwatch.countUpload(arriving(clock, 0, 0)), async () => await clock.sleep(2_000));
		expect(await stuck.during(slowly)).toBeLessThanOrEqual(1_000 + CHECK_EVERY_MS);
		const unanswered = stopwatchOf(1_000);
		const stoppedAfter = await unanswered.during(async (clock) => {
			await read(unanswered.stopwatch.countUpload(arriving(clock, 800)));
			await clock.sleep(2_000);
		});
		expect(stoppedAfter).toBeGreaterThanOrEqual(1_800);
	});
});

describe('The time limit of a connection', () => {
	it('stops a request that has none in time', async () => {
		const { stopwatch, during } = stopwatchOf(300_000);
		stopwatch.limitConnection(() => true);
		const stoppedAfter = await during(async (clock) => await clock.sleep(20_000));
		expect(stoppedAfter).toBeGreaterThanOrEqual(CONNECTION_LIMIT_MS);
		expect(stoppedAfter).toBeLessThanOrEqual(CONNECTION_LIMIT_MS + 2 * CHECK_EVERY_MS);
		expect(stopwatch.exceeded).toBeUndefined();
	});

	it('leaves alone a request whose connection is noticed after a long turn of the event loop', async () => {
		const { stopwatch, during } = stopwatchOf(300_000);
		let asked = 0;
		stopwatch.limitConnection(() => ++asked === 1);
		expect(await during(async (clock) => await clock.sleep(200_000))).toBeUndefined();
		expect(asked).toBe(2);
	});

	it('begins with each request, so also after a redirect', async () => {
		const { stopwatch, during } = stopwatchOf(300_000);
		stopwatch.limitConnection(() => true);
		const stoppedAfter = await during(async (clock) => {
			await clock.sleep(9_000);
			stopwatch.limitConnection(() => true);
			await clock.sleep(20_000);
		});
		expect(stoppedAfter).toBeGreaterThanOrEqual(9_000 + CONNECTION_LIMIT_MS);
	});
});
