import { sourceFiles } from '../unit/project/sourceFiles';

/** The folders that decide about money, secrets, and limits. */
export const FOLDERS = ['answer', 'errors', 'limiter', 'run', 'send'];

/**
 * The unit tests that import a file of a folder of `nodes/shared` themselves. Engine tests would take too long, and so
 * would thousands of random texts for each mutant (`.random.test.ts`).
 *
 * Most tests import `errors` only to recognize failures, so that those of `errors` are the ones that import nothing
 * else.
 */
export function testsOf(folder: string): string[] {
	return sourceFiles('nodes', 'test')
		.filter(({ path }) => /^test\/unit\/shared\/.*(?<!\.random)\.test\.ts$/.test(path))
		.filter(({ imports }) => {
			const imported = new Set(imports.map(folderOf).filter((name) => name !== undefined));
			return imported.has(folder) && (folder !== 'errors' || imported.size === 1);
		})
		.map(({ path }) => path);
}

function folderOf(path: string): string | undefined {
	return /^nodes\/shared\/(\w+)\//.exec(path)?.[1];
}
