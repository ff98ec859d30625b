import { Semaphore } from '../../../nodes/shared/limiter/semaphore';
import { allSettledOrThrow, runPool } from '../../../nodes/shared/run/pool';

/** Work that ends when the test says so. */
function heldWork() {
	const ends: Array<() => void> = [];
	const started: number[] = [];
	const releases: Array<() => void> = [];
	const worker = async (_entry: unknown, index: number, release: () => void) => {
		started.push(index);
		releases[index] = release;
		await new Promise<void>((resolve) => (ends[index] = resolve));
		return index;
	};
	return { started, releases, ends, worker };
}

const entries = (count: number) => new Array<undefined>(count).fill(undefined);
const turns = async () => await new Promise((resolve) => setImmediate(resolve));

describe('runPool', () => {
	it('starts the next entry as soon as one has released its slot, and ends with the last one', async () => {
		const { started, releases, ends, worker } = heldWork();
		let ended = false;
		const pool = runPool(entries(3), worker, { concurrency: 1 }).then((results) => {
			ended = true;
			return results;
		});
		await turns();
		expect(started).toEqual([0]);
		releases[0]();
		await turns();
		expect(started).toEqual([0, 1]);
		ends[1]();
		await turns();
		expect(started).toEqual([0, 1, 2]);
		ends[2]();
		await turns();
		expect(ended).toBe(false);
		ends[0]();
		await expect(pool).resolves.toEqual([0, 1, 2]);
		expect(ended).toBe(true);
	});

	it('ends when an entry fails while another one rests', async () => {
		const results = await runPool(
			[0, 1, 2],
			async (entry, _index, _release, rest) => {
				if (entry === 0) await rest(async () => await new Promise((resolve) => setTimeout(resolve, 20)));
				return entry;
			},
			{ concurrency: 1, stopsAt: (entry) => entry === 1 },
		);
		expect(results).toEqual([0, 1, undefined]);
	});

	it('lets another entry use the slot of one that rests, which then waits for a slot', async () => {
		const wakes: Array<() => void> = [];
		const order: string[] = [];
		const pool = runPool(
			entries(3),
			async (_entry, index, _release, rest) => {
				order.push(`starts ${index}`);
				// Several waits of one entry share its slot.
				const wait = async () => await new Promise<void>((resolve) => wakes.push(resolve));
				if (index === 0) await Promise.all([rest(wait), rest(wait)]);
				if (index === 1) await new Promise<void>((resolve) => wakes.push(resolve));
				order.push(`ends ${index}`);
			},
			{ concurrency: 1 },
		);
		await turns();
		expect(order).toEqual(['starts 0', 'starts 1']);
		wakes[0]();
		wakes[1]();
		await turns();
		expect(order).toEqual(['starts 0', 'starts 1']);
		wakes[2]();
		await pool;
		expect(order.slice(2, 3)).toEqual(['ends 1']);
		expect(order).toHaveLength(6);
	});

	it('starts nothing after it was aborted, and still waits for entries without a slot', async () => {
		const { started, releases, ends, worker } = heldWork();
		const cancel = new AbortController();
		const pool = runPool(entries(3), worker, { concurrency: 1, signal: cancel.signal });
		await turns();
		cancel.abort();
		releases[0]();
		await turns();
		expect(started).toEqual([0]);
		ends[0]();
		await expect(pool).resolves.toEqual([0, undefined, undefined]);
	});

	it('starts nothing after a result that it stops at, and finishes what is in progress', async () => {
		const { started, ends, worker } = heldWork();
		const pool = runPool(entries(6), worker, { concurrency: 2, stopsAt: (result) => result === 1 });
		while (started.length < 2) await turns();
		ends[1]();
		await turns();
		await turns();
		expect(started).toEqual([0, 1]);
		ends[0]();
		await expect(pool).resolves.toEqual([0, 1, undefined, undefined, undefined, undefined]);
	});

	it('starts a few entries per turn of the event loop, so that their requests are sent before the next are prepared', async () => {
		const startsByTurn: number[] = [];
		let starts = 0;
		let counting = true;
		const count = () => {
			startsByTurn.push(starts);
			starts = 0;
			if (counting) setImmediate(count);
		};
		setImmediate(count);
		const { ends, worker } = heldWork();
		const pool = runPool(
			entries(30),
			async (entry, index, release) => {
				starts += 1;
				return await worker(entry, index, release);
			},
			{ concurrency: 20 },
		);
		for (let turn = 0; turn < 20; turn++) await turns();
		// Twenty responses arrive together.
		for (const end of ends) end();
		for (let turn = 0; turn < 20; turn++) await turns();
		for (const end of ends) end();
		await pool;
		counting = false;
		expect(Math.max(...startsByTurn)).toBe(4);
		expect(startsByTurn.reduce((sum, one) => sum + one)).toBe(30);
	});

	it('does not start an entry that waits for its turn when the run stops', async () => {
		const { started, ends, worker } = heldWork();
		const cancel = new AbortController();
		const pool = runPool(entries(8), worker, { concurrency: 8, signal: cancel.signal });
		while (started.length === 0) await turns();
		cancel.abort();
		await turns();
		await turns();
		expect(started).toEqual([0, 1, 2, 3]);
		for (const end of ends) end();
		await pool;
	});
});

describe('Semaphore', () => {
	it('does work in the order of asking, at most as much at once as it has slots', async () => {
		const semaphore = new Semaphore(2);
		const { started, ends, worker } = heldWork();
		const all = Promise.all(
			[0, 1, 2].map(async (index) => await semaphore.use(async () => await worker(0, index, () => {}))),
		);
		await turns();
		expect(started).toEqual([0, 1]);
		ends[1]();
		await turns();
		expect(started).toEqual([0, 1, 2]);
		for (const end of ends) end();
		await all;
	});

	it('has as many slots as it is told at the moment, but at least one', async () => {
		let size = 1;
		const semaphore = new Semaphore(() => size);
		const { started, ends, worker } = heldWork();
		const all = [0, 1, 2, 3, 4].map(
			async (index) => await semaphore.use(async () => await worker(0, index, () => {})),
		);
		await turns();
		size = 3;
		ends[0]();
		await turns();
		expect(started).toEqual([0, 1, 2, 3]);
		size = 0;
		for (const index of [1, 2]) ends[index]();
		await turns();
		expect(started).toEqual([0, 1, 2, 3]);
		ends[3]();
		await turns();
		expect(started).toEqual([0, 1, 2, 3, 4]);
		ends[4]();
		await Promise.all(all);
		expect([new Semaphore(2.7).size, new Semaphore(Number.NaN).size]).toEqual([2, 1]);
	});

	it('gives a slot back when the work fails, and only once', async () => {
		const semaphore = new Semaphore(1);
		await expect(semaphore.use(async () => await Promise.reject(new Error('broken')))).rejects.toThrow(
			'broken',
		);
		const release = await semaphore.acquire();
		release();
		release();
		await semaphore.acquire();
		let acquired = false;
		void semaphore.acquire().then(() => (acquired = true));
		await turns();
		expect(acquired).toBe(false);
	});
});

describe('allSettledOrThrow', () => {
	it('returns all results in order', async () => {
		const late = turns().then(() => 1);
		expect(await allSettledOrThrow([late, Promise.resolve(2)])).toEqual([1, 2]);
	});

	it('throws the first failure when everything has ended', async () => {
		let ended = false;
		const late = turns().then(() => (ended = true));
		await expect(allSettledOrThrow([Promise.reject(new Error('broken')), late])).rejects.toThrow('broken');
		expect(ended).toBe(true);
	});
});
