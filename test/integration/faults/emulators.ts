import { startEmulator, type Emulator } from '../../../emulator';
import { Capacity, runPool } from '../../../nodes/shared/run/pool';

let started = 0;

/**
 * Works on entries, up to `concurrency` of them at once, each with an emulator of its own.
 *
 * @returns the results in the order of the entries
 */
export async function withEmulators<Entry, Result>(
	entries: readonly Entry[],
	concurrency: number,
	work: (entry: Entry, emulator: Emulator) => Promise<Result>,
): Promise<Result[]> {
	const emulators = await Promise.all(
		Array.from({ length: Math.min(concurrency, entries.length) }, async () => {
			started += 1;
			// Each has a key of its own, so that one that goes to the wrong emulator is noticed.
			return await startEmulator({ apiKey: `canary-key-${started}-0123456789` });
		}),
	);
	const free = [...emulators];
	const run = async (entry: Entry) => {
		const emulator = free.pop()!;
		try {
			return await work(entry, emulator);
		} finally {
			free.push(emulator);
		}
	};
	const results = await runPool(entries, run, {
		capacity: new Capacity(() => emulators.length),
	});
	await Promise.all(emulators.map(async (emulator) => await emulator.close()));
	return results as Result[];
}
