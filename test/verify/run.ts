import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program. @returns its standard output @throws Error with the complete output when its exit code is not 0 */
export async function runOrThrow(program: string, args: string[], cwd: string): Promise<string> {
	try {
		return (await promisify(execFile)(program, args, { cwd, maxBuffer: 1e9 })).stdout;
	} catch (error) {
		const { message, stdout = '' } = error as Error & { stdout?: string };
		throw new Error(`${message}\n${stdout}`, { cause: error });
	}
}
