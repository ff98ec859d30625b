import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for memory to be given back that was freed. */
const SETTLE_MS = 150;

/** Lets the memory of the process come to rest: what is no longer in use is freed. */
export async function settleMemory(): Promise<void> {
	for (let round = 0; round < 2; round++) {
		globalThis.gc?.();
		await sleep(SETTLE_MS);
	}
}

/**
 * Watches the memory (resident set) of the process until the returned function is called; that gives the most
 * above now, in bytes.
 */
export function watchMemory(): () => number {
	const idle = process.memoryUsage.rss();
	const highest = highestEver();
	let peak = idle;
	const sample = () => (peak = Math.max(peak, process.memoryUsage.rss()));
	const timer = setInterval(sample, 5);
	return () => {
		clearInterval(timer);
		sample();
		// The system's own mark also sees what comes and goes between two samples, but knows no beginning.
		const mark = highestEver();
		return Math.max(peak, mark > highest ? mark : 0) - idle;
	};
}

function highestEver(): number {
	return process.resourceUsage().maxRSS * 1024;
}
