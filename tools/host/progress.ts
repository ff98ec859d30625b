import { clearLine, cursorTo } from 'node:readline';

/** The interval at which a running step prints its status where lines cannot be rewritten (a log, a pipe), in ms. */
const quietReportMs = 10_000;

/** Returns milliseconds in a readable form: `40 ms`, `1.4 s`, `12 s`, `2 min 36 s`. */
export function formatDuration(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1)} s`;
	const seconds = Math.round(milliseconds / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The steps in progress. Only the last one, which is the innermost, is shown. */
const inProgress: symbol[] = [];

/** The texts that a step shows besides its title and the elapsed time. */
export interface StepTexts<T> {
	/** Returns the text while the step runs; called for each update. */
	status?: () => string;
	/** Returns the text when the step has ended. */
	outcome?: (result: T) => string;
}

/**
 * Runs one step and shows its progress: the title, the elapsed time, and the current status, every second on a terminal
 * and every ten seconds elsewhere.
 *
 * @returns the result of the work; failures of the work are thrown unchanged
 */
export async function step<T>(
	title: string,
	work: () => Promise<T>,
	{ status = () => '', outcome = () => 'done,' }: StepTexts<T> = {},
): Promise<T> {
	const self = Symbol(title);
	inProgress.push(self);
	const isShown = () => inProgress.at(-1) === self;
	const terminal = process.stdout.isTTY;
	const startedAt = Date.now();
	const line = (state: string) =>
		`  ${title} … ${[state, formatDuration(Date.now() - startedAt)].join(' ').trim()}`;
	const show = () => {
		if (!isShown()) return;
		const text = status();
		const now = line(text && `${text},`);
		if (terminal) rewriteLine(now.slice(0, (process.stdout.columns || 80) - 1));
		else process.stdout.write(`${now}\n`);
	};
	const timer = setInterval(show, terminal ? 1000 : quietReportMs);
	if (terminal) rewriteLine(`  ${title} …`);
	try {
		const result = await work();
		finishLine(line(outcome(result)), terminal);
		return result;
	} catch (failure) {
		finishLine(line('failed after'), terminal);
		throw failure;
	} finally {
		clearInterval(timer);
		inProgress.splice(inProgress.indexOf(self), 1);
	}
}

function rewriteLine(text: string): void {
	clearLine(process.stdout, 0);
	cursorTo(process.stdout, 0);
	process.stdout.write(text);
}

function finishLine(text: string, terminal: boolean): void {
	if (terminal) rewriteLine(`${text}\n`);
	else process.stdout.write(`${text}\n`);
}
