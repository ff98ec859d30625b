import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * `npm run lint`: checks the types, fixes what ESLint can fix, and formats all files. In CI, it changes nothing and
 * fails instead.
 */

const ROOT = join(__dirname, '..');
const isCi = Boolean(process.env.CI);

/** Runs a program from a package of the project. @returns whether it succeeded */
async function passes(program: string, ...parameters: string[]): Promise<boolean> {
	const script = join(ROOT, 'node_modules', program);
	const child = spawn(process.execPath, [script, ...parameters], { cwd: ROOT, stdio: 'inherit' });
	const [code] = (await once(child, 'exit')) as [number | null];
	return code === 0;
}

async function main(): Promise<void> {
	// With this file, results of the last run that are still valid are not checked again.
	const known = join(ROOT, 'node_modules/.cache/types.tsbuildinfo');
	const [areTypesRight, isLinted] = await Promise.all([
		passes('typescript/bin/tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', known),
		passes('eslint/bin/eslint.js', '.', '--max-warnings', '0', ...(isCi ? [] : ['--fix'])),
	]);
	const isFormatted = await passes(
		'prettier/bin/prettier.cjs',
		isCi ? '--check' : '--write',
		'.',
		'--log-level',
		'warn',
	);
	if (!areTypesRight) console.error('The types are wrong; see above.');
	process.exitCode = areTypesRight && isLinted && isFormatted ? 0 : 1;
}

void main();
