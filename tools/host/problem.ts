import { readFileSync } from 'node:fs';

/** A failure that the user can fix. It is printed as sentences, without a stack trace. */
export class Problem extends Error {
	/**
	 * @param message what happened
	 * @param hint what to do about it
	 */
	constructor(
		message: string,
		readonly hint: string,
	) {
		super(message);
		this.name = 'Problem';
	}
}

/** Returns a problem with what happened and the last lines of the log that explains it. */
export function problemWithLog(message: string, logFile: string): Problem {
	const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-10);
	return new Problem(`${message}:\n${lines.join('\n')}`, `Full log: ${logFile}`);
}

/** Returns the text to print for a thrown value: sentences for a {@link Problem}, the stack trace for a bug. */
export function describeFailure(failure: unknown): string {
	if (failure instanceof Problem) return `${failure.message}\n${failure.hint}`;
	if (errorCode(failure) === 'ENOSPC')
		return 'The disk is full.\nFree up some space and run npm start again.';
	return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
}

/** Returns the system error code (`ENOENT`, `EADDRINUSE`, …); undefined if there is none. */
export function errorCode(failure: unknown): string | undefined {
	if (typeof failure !== 'object' || failure === null || !('code' in failure)) return undefined;
	return typeof failure.code === 'string' ? failure.code : undefined;
}
