import { setTimeout as sleep } from 'node:timers/promises';

/** Enough time for freed memory to be returned to the system. */
const SETTLE_MS = 150;

/** Frees memory that is no longer in use. */
export async function settleMemory(): Promise<void> {
	for (let round = 0; round < 2; round++) {
		globalThis.gc?.();
		await sleep(SETTLE_MS);
	}
}

/**
 * Watches the memory (resident set) of the process. The returned function stops watching and returns the peak above the
 * memory at the start, in bytes.
 */
export function watchMemory(): () => number {
	const idle = process.memoryUsage.rss();
	const highestBefore = highestEver();
	let peak = idle;
	const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
	const timer = setInterval(sample, 5);
	return () => {
		clearInterval(timer);
		sample();
		// The system's own mark includes short peaks between two samples, but it covers the whole life of the process.
		const mark = highestEver();
		return Math.max(peak, mark > highestBefore ? mark : 0) - idle;
	};
}

/** How often memory in use is measured. Each time, everything that is no longer in use is freed, which takes a while. */
const LIVE_EVERY_MS = 100;

/**
 * Watches the memory that is in use, without what only waits to be freed. The returned function stops watching and
 * returns the peak above that at the start, in bytes.
 */
export function watchMemoryInUse(): () => number {
	const inUse = () => {
		globalThis.gc?.();
		const { heapUsed, external } = process.memoryUsage();
		return heapUsed + external;
	};
	const idle = inUse();
	let peak = idle;
	const sample = () => (peak = Math.max(peak, inUse()));
	const timer = setInterval(sample, LIVE_EVERY_MS);
	return () => {
		clearInterval(timer);
		sample();
		return peak - idle;
	};
}

function highestEver(): number {
	return process.resourceUsage().maxRSS * 1024;
}
