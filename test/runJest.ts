import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

/**
 * Runs Jest with a configuration of its own.
 *
 * @param config the file
 * @param environment in addition to that of this process
 * @returns Jest's exit code
 */
export async function runJest(
	config: string,
	parameters: string[],
	environment: Record<string, string>,
): Promise<number> {
	const child = spawn(
		process.execPath,
		[
			'--experimental-vm-modules',
			'--disable-warning=ExperimentalWarning',
			createRequire(__filename).resolve('jest/bin/jest'),
			'--config',
			config,
			...parameters,
		],
		{ stdio: 'inherit', env: { ...process.env, ...environment } },
	);
	// Jest receives Ctrl-C too; this process only waits for it to exit.
	const wait = () => undefined;
	process.on('SIGINT', wait);
	const [code] = (await once(child, 'exit')) as [number | null];
	process.off('SIGINT', wait);
	return code ?? 1;
}
