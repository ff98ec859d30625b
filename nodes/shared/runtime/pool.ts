/**
 * Runs `worker` for each index from 0 to `count - 1`, at most `concurrency` at a time; the next one starts
 * as soon as one has ended.
 *
 * @param worker must not reject
 * @param mayStart asked before each start; once it says no, nothing more is started
 * @returns when everything that was started has ended
 */
export async function runPool(
	count: number,
	concurrency: number,
	worker: (index: number) => Promise<void>,
	mayStart: () => boolean = () => true,
): Promise<void> {
	let next = 0;
	const lane = async () => {
		while (next < count && mayStart()) await worker(next++);
	};
	const lanes = Math.min(count, Math.max(1, Math.floor(concurrency) || 1));
	await Promise.all(Array.from({ length: lanes }, lane));
}
