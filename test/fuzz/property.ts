import fc from 'fast-check';

/** What came of one property. */
export interface Outcome {
	name: string;
	runs: number;
	/** The smallest value that breaks the promise, and how. */
	finding?: string;
}

/** A promise of the package that must hold for whatever arrives. */
export interface Property {
	/** What holds, as a sentence. */
	name: string;
	/** How much more time it gets than others. */
	share: number;
	/** Tries it with this many values. */
	check(seed: number, runs: number): Promise<Omit<Outcome, 'name'>>;
}

/** Values that are tried with one seed. */
export const RUNS_PER_SEED = 50;

/** @param holds throws when the promise is broken */
export function property<Values extends [unknown, ...unknown[]]>(
	name: string,
	values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
	holds: (...values: Values) => Promise<void> | void,
	share = 1,
): Property {
	const tuple = fc.tuple(...values) as unknown as fc.Arbitrary<Values>;
	return {
		name,
		share,
		async check(seed, numRuns) {
			const asserted = fc.asyncProperty(tuple, async (all) => await holds(...all));
			const details = await fc.check(asserted, { seed, numRuns, includeErrorInReport: true });
			const finding = details.failed ? await fc.asyncDefaultReportMessage(details) : undefined;
			return { runs: details.numRuns, finding };
		},
	};
}

/**
 * Tries a property with one seed after the other until its time is over, or until it is broken.
 *
 * @param now the time in milliseconds
 */
export async function tryProperty(
	{ name, check }: Property,
	seed: number,
	milliseconds: number,
	now: () => number,
): Promise<Outcome> {
	const end = now() + milliseconds;
	let runs = 0;
	for (let next = seed; runs === 0 || now() < end; next++) {
		const tried = await check(next, RUNS_PER_SEED);
		runs += tried.runs;
		if (tried.finding) return { name, runs, finding: tried.finding };
	}
	return { name, runs };
}
