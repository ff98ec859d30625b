import type { ExampleFile, ExampleResult } from './runExample';

/** Files that contain the other files of an example. */
const CONTAINER = /\.(?:html|zip)$/;
/** The kinds of other files that people open, the most complete kind first. */
const KINDS = [/\.(?:csv|xlsx)$/, /\.(?:mp3|wav|ogg|opus)$/, /\.(?:png|jpe?g|webp)$/];
const LONGEST_MESSAGE = 60;

/** The files of an example that people open: the pages and ZIP files, or those of one kind that were made last. */
export function productsOf(files: ExampleFile[]): ExampleFile[] {
	const ofKind = (kind: RegExp) => files.filter(({ fileName }) => kind.test(fileName));
	const containers = ofKind(CONTAINER);
	if (containers.length > 0) return containers;
	const found = KINDS.map(ofKind).find((some) => some.length > 0) ?? [];
	return found.filter(({ node }) => node === found.at(-1)?.node);
}

/** Returns the result of an example without files: its message, or the number of items of its last node. */
export function messageOf({ nodes, message }: ExampleResult): string {
	if (message !== undefined) {
		const line = message.replace(/\s+/g, ' ').trim();
		return `“${line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line}”`;
	}
	const items = nodes.at(-1)?.items ?? 0;
	// A workflow that skips what it has already done ends without items.
	return items === 0 ? 'nothing new' : `${items} ${items === 1 ? 'item' : 'items'}`;
}

/** Returns the reasons for which an example failed, as lines: the messages of the nodes that failed. */
export function reasonsOf({ nodes, reason }: ExampleResult): string[] {
	const failures = nodes.flatMap(({ name, failure }) => (failure ? [`${name}: ${failure}`] : []));
	return [...failures, ...(reason ? [reason] : [])].flatMap((text) => text.split('\n'));
}
