import { sourceFiles } from '../unit/project/sourceFiles';

/** The folders that decide about money, secrets, and limits. */
export const FOLDERS = ['answer', 'batches', 'failure', 'limiter', 'run', 'send'];

/** What each fault means for its request: the table of `failure/rules.ts`, which needs `send` to get there. */
const OUTCOMES = 'test/unit/shared/attempt.test.ts';

/**
 * The unit tests that import a file of a folder themselves. Engine tests would take too long, and so
 * would thousands of random texts for each mutant (`.random.test.ts`).
 *
 * Most tests import `failure` only to recognize failures, so that those of `failure` are the ones that import nothing
 * else but `plain`, and the table of outcomes.
 */
export function testsOf(folder: string): string[] {
	return sourceFiles('nodes', 'test')
		.filter(({ path }) => /^test\/unit\/(?:batches|shared)\/.*(?<!\.random)\.test\.ts$/.test(path))
		.filter(({ path, imports }) => {
			const imported = new Set(imports.map(folderOf).filter((name) => name !== undefined));
			imported.delete('plain');
			const isOnlyFolder = imported.size === 1 || path === OUTCOMES;
			return imported.has(folder) && (folder !== 'failure' || isOnlyFolder);
		})
		.map(({ path }) => path);
}

/**
 * What is changed in a folder, or in one of its files. The redactor finds keys with `plain/key*.ts`, and costs are read
 * with `plain/headers.ts`.
 */
export function filesOf(target: string): string[] {
	const path = `${/^batches\b/.test(target) ? 'nodes' : 'nodes/shared'}/${target}`;
	if (target.includes('/')) return [path];
	const ofAnswer = ['nodes/shared/plain/key*.ts', 'nodes/shared/plain/headers.ts'];
	return [`${path}/**/*.ts`, ...(target === 'answer' ? ofAnswer : [])];
}

function folderOf(path: string): string | undefined {
	return /^nodes\/(?:shared\/(?=\w+\/))?(\w+)\//.exec(path)?.[1];
}
