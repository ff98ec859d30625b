/** A piece of a part: it runs in any process and in any order. That it passed is kept until the code changes. */
export interface Unit {
	/** Unique within the part. */
	name: string;
	/** How many cells it has, for the progress. */
	cells: number;
	/** Whether nothing else may run in the process meanwhile. */
	isAlone?: boolean;
}

/** A part of `npm run reliability`. */
export interface Part {
	name: string;
	/** What it does, as the title of its progress. */
	title: string;
	units(): Unit[];
	/** Prepares a process in which units will run. */
	prepare?(): void;
	/** @returns the promises that did not hold, in words */
	run(unit: string): Promise<string[]>;
}
