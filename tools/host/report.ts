import path from 'node:path';

import { formatBytes, formatDuration } from './progress';
import type { ExampleResult } from './runExample';

/** The result of an example as indented lines: each node, the files written, and where to inspect a failed run. */
export function reportRun({ succeeded, nodes, files, reason }: ExampleResult, workflowUrl: string): string {
	const width = Math.max(0, ...nodes.map(({ name }) => name.length));
	const lines = nodes.flatMap(({ name, items, milliseconds, failure }) => {
		const count = `${items} ${items === 1 ? 'item' : 'items'}`;
		const line = `${name.padEnd(width)}  ${count.padEnd(9)}  ${formatDuration(milliseconds)}`;
		return failure ? [`${line}  failed:`, ...failure.split('\n').map((text) => `  ${text}`)] : [line];
	});
	for (const file of files)
		lines.push(`Wrote ${path.relative(process.cwd(), file.path)} (${formatBytes(file.bytes)})`);
	if (reason) lines.push(...reason.split('\n'));
	if (!succeeded) lines.push(`Open it in the editor: ${workflowUrl}`);
	return lines.map((line) => `    ${line}`).join('\n');
}
