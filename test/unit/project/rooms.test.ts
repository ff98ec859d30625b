import { reachedFrom, sourceFiles, type SourceFile } from './sourceFiles';

/** The rules of docs/dev/architecture.md that neither the compiler nor lint checks. */

const published = sourceFiles('nodes', 'credentials');
const READER = 'nodes/shared/run/parameterReader.ts';

/** The feature that a file belongs to: a folder of `nodes/`, or the credential. */
function featureOf({ path }: SourceFile): string | undefined {
	const [top, folder] = path.split('/');
	if (top === 'credentials') return top;
	return folder === 'shared' ? undefined : folder;
}

describe('Source files', () => {
	it('of nodes/shared are reached by at least two features each', () => {
		const featuresOf = new Map<string, Set<string>>();
		for (const file of published) {
			const feature = featureOf(file);
			if (!feature) continue;
			for (const reached of reachedFrom(published, file.path)) {
				featuresOf.set(reached, (featuresOf.get(reached) ?? new Set()).add(feature));
			}
		}
		const lonely = published
			.filter((file) => file.path.startsWith('nodes/shared/'))
			.filter(({ path }) => (featuresOf.get(path)?.size ?? 0) < 2)
			.map(({ path }) => `${path}: ${[...(featuresOf.get(path) ?? ['nobody'])].join()}`);
		expect(lonely).toEqual([]);
	});

	it('of nodes/ read parameters only through the parameter reader', () => {
		const others = published.filter(({ path, text }) => text.includes('getNodeParameter') && path !== READER);
		expect(others.map(({ path }) => path)).toEqual([]);
	});

	it('of nodes/ have at most 250 lines', () => {
		const long = published
			.map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
			.filter(({ lines }) => lines > 250);
		expect(long).toEqual([]);
	});
});
