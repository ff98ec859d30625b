import { spawn } from 'node:child_process';

export interface Finished {
	exitCode: number | null;
	stdout: string;
	stderr: string;
}

/**
 * Runs a program and collects its output.
 * @param environment replaces the environment of this process; default: inherited
 * @throws Error when the program cannot be started
 */
export function run(
	program: string,
	args: string[],
	cwd: string,
	environment: NodeJS.ProcessEnv = process.env,
): Promise<Finished> {
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
		let stdout = '';
		let stderr = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
		child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
		child.once('error', reject);
		child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
	});
}

/**
 * Like {@link run}, but throws when the program fails.
 * @returns its standard output
 * @throws Error with the complete output when its exit code is not 0
 */
export async function runOrThrow(...call: Parameters<typeof run>): Promise<string> {
	const { exitCode, stdout, stderr } = await run(...call);
	if (exitCode !== 0) {
		const [program, args] = call;
		throw new Error(`${program} ${args.join(' ')} ended with exit code ${exitCode}.\n${stdout}${stderr}`);
	}
	return stdout;
}
