/** A report of Stryker, as far as the figures need it. */
export interface Report {
	files: Record<string, { mutants: Array<{ status: string }> }>;
}

/** What became of the mutants of a folder. */
export interface Figures {
	folder: string;
	/** A test failed, or did not end. */
	detected: number;
	survived: number;
	/** No test runs the changed line. They count as survivors. */
	notCovered: number;
}

/** Counts the mutants of a report. Those that cannot be compiled, or that a comment excludes, do not count. */
export function figuresOf(folder: string, { files }: Report): Figures {
	const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
	const count = (...wanted: string[]) => statuses.filter((status) => wanted.includes(status)).length;
	return {
		folder,
		detected: count('Killed', 'Timeout'),
		survived: count('Survived'),
		notCovered: count('NoCoverage'),
	};
}

/** The share of detected mutants, in percent. */
export function scoreOf({ detected, survived, notCovered }: Omit<Figures, 'folder'>): number {
	const all = detected + survived + notCovered;
	return all === 0 ? 100 : (100 * detected) / all;
}
