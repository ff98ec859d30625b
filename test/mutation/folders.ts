import { sourceFiles } from '../unit/project/sourceFiles';

/** The folders that decide about money, secrets, and limits. */
export const FOLDERS = ['answer', 'batches', 'failure', 'limiter', 'run', 'send'];

/** The tests of the folder `failure`. Most other tests import it only to recognize failures. */
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

/** Tests of the folder `answer` in other folders: usage is read in the formats of chat, and files in JSON by images. */
const OF_ANSWER = ['Chat/answers', 'Chat/usage', 'Image/images'];

/**
 * Returns the unit tests that import a file of a folder directly. Engine tests would take too long for each mutant, and
 * so would tests of thousands of random texts (`.random.test.ts`).
 */
export function testsOf(folder: string): string[] {
	if (folder === 'failure') return OF_FAILURE.map((name) => `test/unit/shared/${name}.test.ts`);
	const others = folder === 'answer' ? OF_ANSWER.map((name) => `test/unit/${name}.test.ts`) : [];
	const own = sourceFiles('nodes', 'test')
		.filter(({ path }) => /^test\/unit\/(?:batches|shared)\/.*(?<!\.random)\.test\.ts$/.test(path))
		.filter(({ imports }) => imports.some((file) => folderOf(file) === folder))
		.map(({ path }) => path);
	return [...own, ...others];
}

/**
 * Returns the files to mutate for a folder, or for one of its files. The redactor finds keys with `plain/key*.ts`, and
 * costs are read with `plain/headers.ts`.
 */
export function filesOf(target: string): string[] {
	const path = `${/^batches\b/.test(target) ? 'nodes' : 'nodes/shared'}/${target}`;
	if (target.includes('/')) return [path];
	const ofAnswer = ['nodes/shared/plain/key*.ts', 'nodes/shared/plain/headers.ts'];
	// Only tests in n8n's engine run the test of a credential.
	return [`${path}/**/*.ts`, '!**/testCredential.ts', ...(target === 'answer' ? ofAnswer : [])];
}

function folderOf(path: string): string | undefined {
	return /^nodes\/(?:shared\/(?=\w+\/))?(\w+)\//.exec(path)?.[1];
}
