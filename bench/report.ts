/** The results of one part of the benchmark. */
export interface Part {
	title: string;
	/** Describes the measurement in a sentence or two. */
	about: string;
	/** The rows of the table. */
	rows: Array<Record<string, string | number>>;
}

/** Returns the cells of a row about memory: the median and the range of the runs, and how long they took. */
export function peakMemory(runs: Array<{ peakBytes: number; tookMs: number }>): Record<string, string> {
	const times = runs.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
	const megabytes = runs
		.map(({ peakBytes }) => Math.round(peakBytes / 1e6))
		.sort((one, other) => one - other);
	return {
		'peak memory': `${megabytes[Math.floor(megabytes.length / 2)]} MB`,
		range: `${megabytes[0]} to ${megabytes.at(-1)} MB`,
		time: `${(times[Math.floor(times.length / 2)] / 1000).toFixed(2)} s`,
	};
}
