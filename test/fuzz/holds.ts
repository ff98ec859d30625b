import fc from 'fast-check';

const RUNS = 300;

/**
 * A test of what must hold for whatever arrives.
 *
 * @param name what holds, as a sentence
 * @param check throws when the promise is broken
 */
export function holds<Values extends [unknown, ...unknown[]]>(
	name: string,
	values: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
	check: (...values: Values) => Promise<void> | void,
): void {
	const tuple = fc.tuple(...values) as unknown as fc.Arbitrary<Values>;
	it(name, async () => {
		const property = fc.asyncProperty(tuple, async (all) => await check(...all));
		await fc.assert(property, { numRuns: RUNS, includeErrorInReport: true });
	});
}
