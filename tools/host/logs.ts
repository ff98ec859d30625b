/** The last lines of a log. */
export function lastLines(log: string, count: number): string {
	return log.trimEnd().split('\n').slice(-count).join('\n');
}
