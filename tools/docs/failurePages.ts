import { readdirSync } from 'node:fs';
import path from 'node:path';

import { failureMessagesOf, withoutRepetitions, type FailureMessage } from './failureMessages';
import { project } from './pages';
import { withSection } from './section';
import { cellOf, tableOf } from './table';

export const troubleshootingPage = path.join(project, 'docs', 'troubleshooting.md');

/** Code that several nodes share; its messages are listed by the kind of the failure. */
const SHARED = ['nodes/shared/', 'credentials/'];

/** The titles of shared messages, in the order of the page, with the kinds of failures below them. */
const SHARED_TITLES: Record<string, string[]> = {
	'Credential and address': ['settings', 'authentication', 'permission', 'unreachable', 'address'],
	'Refused requests': ['request', 'notFound'],
	'Rate limits, outages, and interruptions': ['rateLimit', 'gateway', 'interrupted', 'cancelled'],
	'Responses, files, and tasks': ['answer', 'download', 'storage', 'task'],
	Parameters: ['input'],
};

/** Folders of nodes that stand with another node, and how the editor calls the node. */
export const NODES_IN_FOLDERS: Record<string, string> = {
	'nodes/Chat/model/': 'Unified AI Chat Model',
	'nodes/Embed/model/': 'Unified AI Embeddings Model',
	'nodes/Rerank/model/': 'Unified AI Reranker Model',
};

/** What to do about a failure that passes on the advice of its cause. */
const ADVICE_OF_CAUSE = 'The message names the cause, and the description says what to do about it.';

/** Every message of the source, each once, with the title that it stands below. */
export function messagesByTitle(): Map<string, FailureMessage[]> {
	const placed = sourceFiles().flatMap((file) =>
		failureMessagesOf(path.join(project, file)).map((message) => ({
			message,
			title: titleOf(file, message),
		})),
	);
	const messages = withoutRepetitions(placed.map(({ message }) => message));
	const titles = new Map<string, FailureMessage[]>();
	for (const title of [...Object.keys(SHARED_TITLES), ...placed.map(({ title }) => title).sort()]) {
		const isHere = ({ message }: FailureMessage) =>
			placed.find((entry) => entry.message.message === message)?.title === title;
		titles.set(title, messages.filter(isHere));
	}
	return new Map([...titles].filter(([, list]) => list.length > 0));
}

/** All TypeScript files of the package, the shared ones first, relative to the project. */
function sourceFiles(): string[] {
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
			.map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
			.filter((file) => file.endsWith('.ts'))
			.sort(),
	);
	return [...files.filter(isShared), ...files.filter((file) => !isShared(file))];
}

function isShared(file: string): boolean {
	return SHARED.some((folder) => file.startsWith(folder));
}

function titleOf(file: string, { kind }: FailureMessage): string {
	if (isShared(file)) {
		const title = Object.entries(SHARED_TITLES).find(([, kinds]) => kinds.includes(kind))?.[0];
		return title ?? 'Other messages';
	}
	const inside = Object.keys(NODES_IN_FOLDERS).find((folder) => file.startsWith(folder));
	if (inside) return NODES_IN_FOLDERS[inside];
	return `Unified AI ${file.split('/')[1].replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')}`;
}

/** The page with the messages that the source has now. @throws Error when one of the marks around them is missing */
export function withFailures(text = '# Troubleshooting\n'): string {
	return withSection(text, { name: 'messages', heading: 'All messages', content: failureTables() });
}

/** The tables of all messages, in Markdown; messages with the same advice share a row. */
export function failureTables(): string {
	return [...messagesByTitle()]
		.map(([title, messages]) =>
			[`### ${title}`, '', tableOf(['Message', 'Kind', 'What to do'], rowsOf(messages))].join('\n'),
		)
		.join('\n\n');
}

function rowsOf(messages: FailureMessage[]): string[][] {
	const rows = new Map<string, FailureMessage[]>();
	for (const message of messages) {
		const key = JSON.stringify([message.kind, message.advice]);
		rows.set(key, [...(rows.get(key) ?? []), message]);
	}
	return [...rows.values()].map((alike) => {
		const [{ kind, advice }] = alike;
		return [
			alike.map(({ message }) => cellOf(message)).join('<br>'),
			kind === '' ? 'varies' : `\`${kind}\``,
			advice.join('<br>_or:_ ') || ADVICE_OF_CAUSE,
		];
	});
}
