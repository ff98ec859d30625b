import type { Owner } from './n8nTypes';
import { formatDuration } from './progress';

/** The results of the examples of a run. */
export interface Tally {
	/** Names of the examples that succeeded. */
	succeeded: string[];
	/** Names of the examples that failed. */
	failed: string[];
}

/** The result of the morning show. */
export interface Show {
	/** The address of its workflow. */
	url: string;
	/** The address of its execution, with the results of every node, if it succeeded. */
	execution?: string;
	/** Its audio file, if it succeeded. The path is relative to the folder where the command was started. */
	audio?: string;
}

/** Returns the last lines of a demo that keeps running: the show and its results, the sign-in, and one next step. */
export function runningLines(
	tally: Tally,
	show: Show,
	owner: Owner,
	usesEmulator: boolean,
	milliseconds: number,
): string {
	return `${verdict(tally)} after ${formatDuration(milliseconds)}.

  Show      ${show.url}
${line('Results', show.execution)}${line('Audio', show.audio)}  Sign in   ${owner.email}
  Password  ${owner.password}

${nextStep(show, usesEmulator)} Ctrl-C stops the demo.`;
}

/**
 * Returns the last lines of `--once`, which are printed when everything has stopped.
 *
 * @param output the folder of what was made; this path and that of n8n's log are relative to where the command was started
 */
export function onceLines(
	tally: Tally,
	output: string,
	logFile: string,
	usesEmulator: boolean,
	milliseconds: number,
): string {
	const files = [
		...(tally.succeeded.length > 0 ? [`what they made is in ${output}`] : []),
		...(tally.failed.length > 0 ? [`n8n's log is ${logFile}`] : []),
	];
	const [stopped, start] = usesEmulator
		? ['n8n and the emulator have stopped', 'keeps them running']
		: ['n8n has stopped', 'keeps it running'];
	return `${verdict(tally)} in ${formatDuration(milliseconds)}${files.map((file) => `; ${file}`).join('')}.
${stopped}; npm start ${start}.`;
}

function line(label: string, text: string | undefined): string {
	return text === undefined ? '' : `  ${label.padEnd(10)}${text}\n`;
}

function verdict({ succeeded, failed }: Tally): string {
	const count = succeeded.length + failed.length;
	if (failed.length === 0) return `All ${count} examples succeeded`;
	return `${failed.length} of ${count} examples failed (${failed.join(', ')})`;
}

function nextStep({ audio }: Show, usesEmulator: boolean): string {
	const select = audio === undefined && !usesEmulator ? ' select a model and a voice of your gateway,' : '';
	return `Next step: open the address of the show, sign in,${select} and click Execute workflow.`;
}
