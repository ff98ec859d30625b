import { sourceFiles } from '../unit/project/sourceFiles';

/** The folders that decide about money, secrets, and limits. */
export const FOLDERS = ['answer', 'batches', 'failure', 'limiter', 'run', 'send'];

/** Most tests import `failure` only to recognize failures. These are about it. */
const OF_FAILURE = [
	'answerReaders',
	'attempt',
	'errorBody',
	'exits',
	'fate',
	'failure',
	'transport',
	'waits',
	'words',
];

/**
 * The unit tests that import a file of a folder themselves. Engine tests would take too long, and so
 * would thousands of random texts for each mutant (`.random.test.ts`).
 */
export function testsOf(folder: string): string[] {
	if (folder === 'failure') return OF_FAILURE.map((name) => `test/unit/shared/${name}.test.ts`);
	return sourceFiles('nodes', 'test')
		.filter(({ path }) => /^test\/unit\/(?:batches|shared)\/.*(?<!\.random)\.test\.ts$/.test(path))
		.filter(({ imports }) => imports.some((file) => folderOf(file) === folder))
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
