import type { Owner } from './n8nTypes';
import { formatDuration } from './progress';

/** How the examples of a run have ended. */
export interface Tally {
	/** Names of the examples that succeeded. */
	succeeded: string[];
	/** Names of the examples that failed. */
	failed: string[];
}

/** What the closing lines name; paths are relative to where the command was started. */
export interface Places {
	outputFolder: string;
	logFile: string;
}

/** The result of the daily briefing. */
export interface Briefing {
	/** The address of its workflow. */
	url: string;
	/** The audio file that it wrote, if it succeeded. */
	audio?: string;
}

/** The last lines of a demo that keeps running: the briefing, the sign-in, and one next step. */
export function runningLines(
	tally: Tally,
	briefing: Briefing,
	owner: Owner,
	usesEmulator: boolean,
	milliseconds: number,
): string {
	return `${verdict(tally)} after ${formatDuration(milliseconds)}.

  Briefing  ${briefing.url}
${briefing.audio === undefined ? '' : `  Audio     ${briefing.audio}\n`}  Sign in   ${owner.email}
  Password  ${owner.password}

${nextStep(briefing, usesEmulator)} Ctrl-C stops the demo.`;
}

/** The last lines of `--once`, printed when everything has stopped. */
export function onceLines(tally: Tally, places: Places, usesEmulator: boolean, milliseconds: number): string {
	const hasFailed = tally.failed.length > 0;
	const files = `${hasFailed ? '' : 'their '}files are in ${places.outputFolder}`;
	const log = hasFailed ? `, n8n's log is ${places.logFile}` : '';
	const [stopped, start] = usesEmulator
		? ['n8n and the emulator have stopped', 'keeps them running']
		: ['n8n has stopped', 'keeps it running'];
	return `${verdict(tally)} in ${formatDuration(milliseconds)}; ${files}${log}.
${stopped}; npm start ${start}.`;
}

function verdict({ succeeded, failed }: Tally): string {
	const count = succeeded.length + failed.length;
	if (failed.length === 0) return `All ${count} examples succeeded`;
	return `${failed.length} of ${count} examples failed (${failed.join(', ')})`;
}

function nextStep({ audio }: Briefing, usesEmulator: boolean): string {
	const select = audio === undefined && !usesEmulator ? ' select a model and a voice of your gateway,' : '';
	return `Next step: open the address of the briefing, sign in,${select} and click Execute workflow.`;
}
