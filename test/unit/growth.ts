const TIMES = 8;
const MOST_TRIES = 4;
/** Linear work takes as long in one piece as in several, and quadratic work eight times as long. */
const MOST = 4;

/**
 * Whether work takes processor time in proportion to its size, however fast the machine is: eight pieces take about as long
 * as one of eight times their size. Other work can only disturb a try.
 */
export function isLinear(size: number, work: (size: number) => unknown): boolean {
	for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
		const inPieces = processorTime(() => {
			for (let piece = 0; piece < TIMES; piece++) work(size);
		});
		if (processorTime(() => work(TIMES * size)) < MOST * inPieces) return true;
	}
	return false;
}

function processorTime(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return user + system;
}
