import { readFileSync } from 'node:fs';

/** How long the event loop was kept by one piece of work. */
interface Turns {
	/** Processor time of the main thread between two ticks of a timer, in milliseconds: other processes do not count. */
	longestMs: number;
	ticks: number;
}

/** Watches the event loop with a timer, until the returned function is called. */
export function watchTurns(): () => Turns {
	let last = processorMs();
	const turns: Turns = { longestMs: 0, ticks: 0 };
	const timer = setInterval(() => {
		const now = processorMs();
		turns.longestMs = Math.max(turns.longestMs, now - last);
		turns.ticks += 1;
		last = now;
	}, 1);
	return () => {
		clearInterval(timer);
		return turns;
	};
}

/** Time that the main thread has spent on a processor; the time of day where the system does not tell. */
function processorMs(): number {
	try {
		return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
	} catch {
		return performance.now();
	}
}
