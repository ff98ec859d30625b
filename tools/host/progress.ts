import { clearLine, cursorTo } from 'node:readline';

/** How often a running step prints its status where lines cannot be rewritten (a log, a pipe), in ms. */
const quietReportMs = 10_000;

/** Milliseconds in a readable form: `40 ms`, `1.4 s`, `12 s`, `2 min 36 s`. */
export function formatDuration(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1)} s`;
	const seconds = Math.round(milliseconds / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Bytes in a readable form: `812 bytes`, `43 kB`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
	if (bytes < 1000) return `${bytes} bytes`;
	return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * Runs one step and shows its progress: the title, the elapsed time and the current status, every second on a terminal
 * and every ten seconds elsewhere.
 *
 * @param status returns the text to add to the progress line, called for each update
 * @returns the result of the work; failures of the work are thrown unchanged
 */
export async function step<T>(
	title: string,
	work: () => Promise<T>,
	status: () => string = () => '',
): Promise<T> {
	const terminal = process.stdout.isTTY;
	const startedAt = Date.now();
	const line = (state: string) =>
		`  ${title} … ${[state, formatDuration(Date.now() - startedAt)].join(' ').trim()}`;
	const show = () => {
		const text = status();
		const now = line(text && `${text},`);
		if (terminal) rewriteLine(now.slice(0, (process.stdout.columns || 80) - 1));
		else process.stdout.write(`${now}\n`);
	};
	const timer = setInterval(show, terminal ? 1000 : quietReportMs);
	if (terminal) rewriteLine(`  ${title} …`);
	try {
		const result = await work();
		finishLine(line('done,'), terminal);
		return result;
	} catch (failure) {
		finishLine(line('failed after'), terminal);
		throw failure;
	} finally {
		clearInterval(timer);
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
