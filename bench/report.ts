/** The results of one part of the benchmark. */
export interface Part {
	title: string;
	/** How it was measured, in a sentence or two. */
	about: string;
	/** Table rows. */
	rows: Array<Record<string, string | number>>;
}

/** The cells of a row about memory: the median and the range of the runs. */
export function peakMemory(runs: Array<{ peakBytes: number }>): Record<string, string> {
	const megabytes = runs
		.map(({ peakBytes }) => Math.round(peakBytes / 1e6))
		.sort((one, other) => one - other);
	return {
		'peak memory': `${megabytes[Math.floor(megabytes.length / 2)]} MB`,
		range: `${megabytes[0]} to ${megabytes.at(-1)} MB`,
	};
}
