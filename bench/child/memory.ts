import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for freed memory to be returned to the system, in milliseconds. */
const SETTLE_MS = 150;

/** Collects garbage and waits until the freed memory is returned to the system. */
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

function highestEver(): number {
	return process.resourceUsage().maxRSS * 1024;
}
