import type { ExampleResult } from './runExample';

/** What an example has produced, in two words: the files in its results, or else the items of its last node. */
export function productOf({ files, nodes }: ExampleResult): string {
	if (files.length > 0) return counted(files.length, 'file');
	const items = nodes.at(-1)?.items ?? 0;
	// A workflow that skips what it has done before ends without items.
	return items === 0 ? 'nothing new' : counted(items, 'item');
}

/** The reasons of a failed example, as lines: the nodes that failed with their messages. */
export function reasonsOf({ nodes, reason }: ExampleResult): string[] {
	const failures = nodes.flatMap(({ name, failure }) => (failure ? [`${name}: ${failure}`] : []));
	return [...failures, ...(reason ? [reason] : [])].flatMap((text) => text.split('\n'));
}

function counted(count: number, what: string): string {
	return `${count} ${count === 1 ? what : `${what}s`}`;
}
