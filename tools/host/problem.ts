/** Something the person at the terminal can put right: it is shown as sentences, without a stack. */
export class Problem extends Error {
	/**
	 * @param message what happened
	 * @param advice what to do about it
	 */
	constructor(
		message: string,
		readonly advice: string,
	) {
		super(message);
		this.name = 'Problem';
	}
}

/** The text to print for anything thrown: sentences for a {@link Problem}, the stack for a fault of the demo itself. */
export function describeFailure(failure: unknown): string {
	if (failure instanceof Problem) return `${failure.message}\n${failure.advice}`;
	if (errorCode(failure) === 'ENOSPC') return 'The disk is full.\nFree some space and run npm start again.';
	return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure);
}

/** The system's name of an error (`ENOENT`, `EADDRINUSE`, …), or undefined when it has none. */
export function errorCode(failure: unknown): string | undefined {
	if (typeof failure !== 'object' || failure === null || !('code' in failure)) return undefined;
	return typeof failure.code === 'string' ? failure.code : undefined;
}
