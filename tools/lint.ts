import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** `npm run lint`: mends what ESLint can mend and formats all files. In CI, it changes nothing, and fails instead. */

const ROOT = join(__dirname, '..');
const isCi = Boolean(process.env.CI);

/** Runs a program of a package of the project. @returns whether it succeeded */
function passes(program: string, ...parameters: string[]): boolean {
	const script = join(ROOT, 'node_modules', program);
	return spawnSync(process.execPath, [script, ...parameters], { cwd: ROOT, stdio: 'inherit' }).status === 0;
}

const isLinted = passes('eslint/bin/eslint.js', '.', '--max-warnings', '0', ...(isCi ? [] : ['--fix']));
const isFormatted = passes(
	'prettier/bin/prettier.cjs',
	isCi ? '--check' : '--write',
	'.',
	'--log-level',
	'warn',
);
process.exitCode = isLinted && isFormatted ? 0 : 1;
