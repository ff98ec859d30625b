import { getEventListeners } from 'node:events';
import { CHECK_EVERY_MS, Stopwatch, Watch } from '../../../nodes/shared/send/timeLimits';
import { FakeClock } from '../fakeClock';

/** Chunks that arrive with a pause before each of them, in milliseconds. */
async function* arriving(clock: FakeClock, ...pauses: number[]): AsyncGenerator<number> {
	for (const [index, pause] of pauses.entries()) {
		await clock.sleep(pause);
		yield index;
	}
}

/** A stopwatch, and what it does while some work is under way. */
function stopwatchOf(limitMs: number, totalMs?: number) {
	const clock = new FakeClock();
	const watch = new Watch(clock);
	const stopwatch = new Stopwatch(clock, limitMs, totalMs);
	watch.add(stopwatch);
	const startedAt = clock.now();
	let stoppedAfter: number | undefined;
	stopwatch.signal.addEventListener('abort', () => (stoppedAfter = clock.now() - startedAt));
	/** Does some work, and returns when the stopwatch stopped it, if it did. */
	const during = async (work: (clock: FakeClock) => Promise<unknown>) => {
		await clock.run(work(clock));
		watch.delete(stopwatch);
		return stoppedAfter;
	};
	return { stopwatch, during };
}
const read = async (chunks: AsyncGenerator<unknown>, each: () => Promise<unknown> = async () => {}) => {
	while (!(await chunks.next()).done) await each();
};

type Work = (clock: FakeClock, stopwatch: Stopwatch) => Promise<unknown>;

/** Sends a file of which the network accepts a chunk after each of these pauses, and then waits for the answer. */
const upload =
	(answerMs: number, ...pauses: number[]): Work =>
	async (clock, stopwatch) => {
		await read(stopwatch.countUpload(arriving(clock, ...pauses)));
		await clock.sleep(answerMs);
	};
const stuck: Work = async (clock, stopwatch) =>
	await read(stopwatch.countUpload(arriving(clock, 0, 0)), async () => await clock.sleep(2_000));

function expectStop(stoppedAfter: number | undefined, expected: number | undefined): void {
	if (expected === undefined) return expect(stoppedAfter).toBeUndefined();
	expect(stoppedAfter).toBeGreaterThanOrEqual(expected);
	expect(stoppedAfter).toBeLessThanOrEqual(expected + CHECK_EVERY_MS);
}

describe('A time limit', () => {
	it.each<[string, Work, number | undefined]>([
		['begins anew whenever the network accepts a part of a file', upload(800, 800, 800), undefined],
		['stops a file of which the network accepts nothing', stuck, 1_000],
		['stops a file that nothing answers', upload(2_000, 800), 1_800],
	])('%s', async (_what, work, stops) => {
		const { stopwatch, during } = stopwatchOf(1_000);
		expectStop(await during(async (clock) => await work(clock, stopwatch)), stops);
		expect(stopwatch.exceeded).toBe(stops === undefined ? undefined : 'silence');
	});

	it('leaves alone a request whose connection is noticed after a long turn of the event loop', async () => {
		const { stopwatch, during } = stopwatchOf(300_000);
		let asked = 0;
		stopwatch.limitConnection(() => ++asked === 1);
		expect(await during(async (clock) => await clock.sleep(200_000))).toBeUndefined();
		expect(asked).toBe(2);
	});

	it('leaves neither a timer nor a listener behind, for more than a moment', async () => {
		const clock = new FakeClock();
		const watch = new Watch(clock);
		const { signal } = new AbortController();
		const all = Array.from({ length: 20 }, () => new Stopwatch(clock, 1e9, undefined, [signal]));
		for (const one of all) watch.add(one);
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		for (const one of all) watch.delete(one);
		await clock.run(clock.sleep(CHECK_EVERY_MS));
		await clock.run(Promise.resolve());
		expect([clock.isWaiting, getEventListeners(signal, 'abort').length]).toEqual([false, 0]);
		watch.add(all[0]);
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
	});

	it('comes at once when a request is stopped, also one that began after the stop', () => {
		const watch = new Watch(new FakeClock());
		const stop = new AbortController();
		const all = [1, 2].map(() => new Stopwatch(new FakeClock(), 1e9, undefined, [stop.signal]));
		watch.add(all[0]);
		stop.abort();
		watch.add(all[1]);
		expect(all.map(({ signal, exceeded }) => [signal.aborted, exceeded])).toEqual([
			[true, undefined],
			[true, undefined],
		]);
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
		['may be handled slowly by its reader', { pauses: [100, 100, 100], handlingMs: 5_000 }, undefined],
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
		expectStop(stoppedAfter, stops);
		if (stops !== undefined) expect(stopwatch.exceeded).toBe(totalMs === undefined ? 'silence' : 'total');
	});
});
