import { runPool } from '../../../nodes/shared/runtime/pool';

/** Work that ends when it is told to. */
function heldWork() {
	const ends: Array<() => void> = [];
	const begun: number[] = [];
	const leaves: Array<() => void> = [];
	const worker = async (index: number, leave: () => void) => {
		begun.push(index);
		leaves[index] = leave;
		await new Promise<void>((resolve) => (ends[index] = resolve));
	};
	return { begun, leaves, ends, worker };
}

const turns = async () => await new Promise((resolve) => setImmediate(resolve));

test('the next one starts as soon as one has left, and the pool ends with the last', async () => {
	const { begun, leaves, ends, worker } = heldWork();
	let ended = false;
	const pool = runPool(3, 1, worker).then(() => (ended = true));
	await turns();
	expect(begun).toEqual([0]);
	leaves[0]();
	await turns();
	expect(begun).toEqual([0, 1]);
	ends[1]();
	await turns();
	expect(begun).toEqual([0, 1, 2]);
	ends[2]();
	await turns();
	expect(ended).toBe(false);
	ends[0]();
	await pool;
	expect(ended).toBe(true);
});

test('leaving and then ending makes room for one only', async () => {
	const { begun, leaves, ends, worker } = heldWork();
	const pool = runPool(4, 1, worker);
	await turns();
	leaves[0]();
	ends[0]();
	await turns();
	expect(begun).toEqual([0, 1]);
	for (const index of [1, 2, 3]) {
		ends[index]();
		await turns();
	}
	await pool;
});

test('nothing starts once it may not, and what has left is still waited for', async () => {
	const { begun, leaves, ends, worker } = heldWork();
	let mayStart = true;
	const pool = runPool(3, 1, worker, () => mayStart);
	await turns();
	mayStart = false;
	leaves[0]();
	await turns();
	expect(begun).toEqual([0]);
	ends[0]();
	await pool;
});

test('few starts a turn of the event loop, so that these requests are on their way before the next are prepared', async () => {
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
	const pool = runPool(30, 20, async (index, leave) => {
		starts += 1;
		await worker(index, leave);
	});
	for (let turn = 0; turn < 20; turn++) await turns();
	// Twenty answers arrive together.
	for (const end of ends) end();
	for (let turn = 0; turn < 20; turn++) await turns();
	for (const end of ends) end();
	await pool;
	counting = false;
	expect(Math.max(...startsByTurn)).toBe(4);
	expect(startsByTurn.reduce((sum, one) => sum + one)).toBe(30);
});

test('what waits for its turn when the run stops is not started', async () => {
	const { begun, ends, worker } = heldWork();
	let mayStart = true;
	const pool = runPool(8, 8, worker, () => mayStart);
	while (begun.length === 0) await turns();
	mayStart = false;
	await turns();
	await turns();
	expect(begun).toEqual([0, 1, 2, 3]);
	for (const end of ends) end();
	await pool;
});
