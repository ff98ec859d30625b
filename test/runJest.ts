import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

/** Runs Jest with a configuration of its own. @param environment in addition to that of this process @returns the exit code */
export async function runJest(
	config: string,
	parameters: string[],
	environment: Record<string, string> = {},
): Promise<number> {
	// The tests of the emulator can load an SDK only with import(), for which Jest needs the first flag.
	const sdk = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
	// Tests produce much garbage. Collecting it less often, and in a single thread, makes the whole run a tenth shorter.
	const flags = [...sdk, '--max-semi-space-size=32', '--single-threaded-gc'];
	const jest = createRequire(__filename).resolve('jest/bin/jest');
	const child = spawn(process.execPath, [...flags, jest, '--config', config, ...parameters], {
		stdio: 'inherit',
		env: { ...process.env, ...environment },
	});
	// Jest receives Ctrl-C as well, so this process only waits for it to exit.
	process.on('SIGINT', () => undefined);
	process.on('SIGTERM', () => child.kill());
	const [code] = (await once(child, 'exit')) as [number | null];
	return code ?? 1;
}
