import { describeFailure } from './problem';

/** Runs a command with its arguments, or prints its usage for `--help`; a failure is printed and sets exit code 1. */
export function runCommand(usage: string, main: (commandLine: string[]) => Promise<void>): void {
	const commandLine = process.argv.slice(2);
	if (commandLine.includes('--help')) {
		process.stdout.write(`${usage}\n`);
		return;
	}
	main(commandLine).catch((failure: unknown) => {
		process.stderr.write(`${describeFailure(failure)}\n`);
		process.exitCode = 1;
	});
}
