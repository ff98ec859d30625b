/** A piece of a part: it runs in any process and in any order, and its result is kept until the code changes. */
export interface Unit {
	/** Unique within the part. */
	name: string;
	/** How many cells it has, for the progress. */
	cells: number;
	/** Whether nothing else may run in the process meanwhile. */
	isAlone?: boolean;
}

/** A part of `npm run reliability`. */
export interface Part<Result> {
	name: string;
	/** What it does, as the title of its progress. */
	title: string;
	units(): Unit[];
	/** Prepares a process in which units will run. */
	prepare?(): void;
	/** @returns what JSON can hold */
	run(unit: string): Promise<Result>;
	/** The promises that did not hold, in words. */
	broken(result: Result): string[];
	/** Writes what all units have found to docs/reliability.md. */
	report?(results: Result[]): void;
}
