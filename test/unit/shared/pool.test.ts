import { Gate } from '../../../nodes/shared/limiter/gate';
import { allSettledOrThrow, Capacity, runPool } from '../../../nodes/shared/run/pool';

/** Work that ends when the test says so. */
function heldWork() {
	const ends: Array<() => void> = [];
	const started: number[] = [];
	const worker = async (_entry: unknown, index: number) => {
		started.push(index);
		await new Promise<void>((resolve) => (ends[index] = resolve));
		return index;
	};
	return { started, ends, worker };
}

const entries = (count: number) => new Array<undefined>(count).fill(undefined);
const of = (width: number) => new Capacity(() => width);
const turns = async () => await new Promise((resolve) => setImmediate(resolve));

describe('runPool', () => {
	it('starts the next entry when one ends, or is set aside', async () => {
		const { started, ends, worker } = heldWork();
		const capacity = of(1);
		const run = async (entry: undefined, index: number) =>
			await worker(entry, index).finally(index === 0 ? capacity.setAside() : undefined);
		const pool = runPool(entries(4), run, { capacity });
		await turns();
		expect(started).toEqual([0, 1]);
		ends[1]();
		await turns();
		expect(started).toEqual([0, 1, 2]);
		ends[0]();
		await turns();
		expect(started).toEqual([0, 1, 2]);
		ends[2]();
		await turns();
		ends[3]();
		await expect(pool).resolves.toEqual([0, 1, 2, 3]);
	});

	it('ends when an entry fails while another one is set aside', async () => {
		const capacity = of(1);
		const results = await runPool(
			[0, 1, 2],
			async (entry) => {
				if (entry === 0) await turns().finally(capacity.setAside());
				return entry;
			},
			{ capacity, stopsAt: (entry) => entry === 1 },
		);
		expect(results).toEqual([0, 1, undefined]);
	});

	it('keeps at most 100 entries aside', async () => {
		const { started, ends, worker } = heldWork();
		const capacity = of(1);
		const run = async (entry: undefined, index: number) =>
			await worker(entry, index).finally(capacity.setAside());
		const pool = runPool(entries(120), run, { capacity });
		for (let turn = 0; turn < 200; turn++) await turns();
		expect(started).toHaveLength(101);
		while (ends.length > 0 || started.length < 120) {
			for (const end of ends.splice(0)) end?.();
			await turns();
		}
		expect(await pool).toHaveLength(120);
	});

	it('starts nothing after it was aborted, and finishes what is in progress', async () => {
		const { started, ends, worker } = heldWork();
		const cancel = new AbortController();
		const pool = runPool(entries(3), worker, { capacity: of(1), signal: cancel.signal });
		await turns();
		cancel.abort();
		ends[0]();
		await expect(pool).resolves.toEqual([0, undefined, undefined]);
		expect(started).toEqual([0]);
	});

	it('starts nothing after a result that it stops at, and finishes what is in progress', async () => {
		const { started, ends, worker } = heldWork();
		const pool = runPool(entries(6), worker, { capacity: of(2), stopsAt: (result) => result === 1 });
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
			async (entry, index) => {
				starts += 1;
				return await worker(entry, index);
			},
			{ capacity: of(20) },
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
		const pool = runPool(entries(8), worker, { capacity: of(8), signal: cancel.signal });
		while (started.length === 0) await turns();
		cancel.abort();
		await turns();
		await turns();
		expect(started).toEqual([0, 1, 2, 3]);
		for (const end of ends) end();
		await pool;
	});
});

describe('Gate', () => {
	const workIn = (gate: Gate, work: ReturnType<typeof heldWork>) => async (index: number) => {
		await gate.enter();
		await work.worker(0, index);
		gate.leave();
	};

	it('lets in what comes first, as much at once as its width at the moment, but at least one', async () => {
		let width = 1;
		const work = heldWork();
		const all = [0, 1, 2, 3, 4].map(workIn(new Gate(() => width), work));
		const { started, ends } = work;
		await turns();
		expect(started).toEqual([0]);
		width = 3;
		ends[0]();
		await turns();
		expect(started).toEqual([0, 1, 2, 3]);
		width = 0;
		for (const index of [1, 2]) ends[index]();
		await turns();
		expect(started).toEqual([0, 1, 2, 3]);
		ends[3]();
		await turns();
		expect(started).toEqual([0, 1, 2, 3, 4]);
		ends[4]();
		await Promise.all(all);
		expect(new Gate(() => 2.7).size).toBe(2);
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
