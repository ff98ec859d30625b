import { readdirSync } from 'node:fs';
import path from 'node:path';

import { type FailureMessage, failureMessagesOf } from './failureMessages';
import { withSection } from './section';

const project = path.join(__dirname, '../..');

export const troubleshootingPage = path.join(project, 'docs', 'troubleshooting.md');

/** Whose messages stand under their own title, beside the nodes. */
const ROOMS: Record<string, string> = {
	'shared/gateway': 'Every node: the gateway and its answers',
	'shared/runtime': 'Every node: parameters',
	'shared/fields': 'Every node: lists',
	'shared/files': 'Files, images and audio',
	'shared/chat': 'Chat answers',
	'shared/music': 'Music tasks',
};

/** The words of `gateway/advice.ts` are explained by hand. */
const EXPLAINED = 'nodes/shared/gateway/advice.ts';

/** The messages of the source by title, in the order of the titles. */
function messagesByTitle(): Map<string, FailureMessage[]> {
	const files = ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(path.join(project, folder), { recursive: true, encoding: 'utf8' })
			.map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
			.filter((file) => file.endsWith('.ts') && file !== EXPLAINED)
			.sort(),
	);
	const titles = new Map<string, FailureMessage[]>();
	for (const file of files) {
		const messages = failureMessagesOf(path.join(project, file));
		const title = titleOf(file);
		const known = titles.get(title) ?? [];
		const isNew = ({ message }: FailureMessage) => known.every((other) => other.message !== message);
		if (messages.length > 0) titles.set(title, [...known, ...messages.filter(isNew)]);
	}
	return new Map([...titles].sort(([one], [other]) => one.localeCompare(other)));
}

function titleOf(file: string): string {
	const [top, folder, room] = file.split('/');
	if (top === 'credentials') return 'The credential';
	if (folder !== 'shared') return `Unified AI ${folder.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')}`;
	return ROOMS[`${folder}/${room}`] ?? `Every node: ${room}`;
}

/** The page with the messages that the source has now. @throws Error when a mark around them is lost */
export function withFailures(text = '# Troubleshooting\n'): string {
	return withSection(text, {
		name: 'messages',
		heading: 'Messages of single nodes and parameters',
		content: failureTables(),
	});
}

/** Tables of all messages outside `advice.ts`, in Markdown. */
export function failureTables(): string {
	return [...messagesByTitle()]
		.map(([title, messages]) =>
			[
				`### ${title}`,
				'',
				'| Message | What to do |',
				'| --- | --- |',
				...messages.map(
					({ message, advice }) =>
						`| ${cellOf(message)} | ${cellOf(advice) || 'See [above](#messages-of-every-node)'} |`,
				),
			].join('\n'),
		)
		.join('\n\n');
}

/** The messages of `advice.ts`, which the page explains by hand. */
export function explainedMessages(): string[] {
	return failureMessagesOf(path.join(project, EXPLAINED)).map(({ message }) => message);
}

function cellOf(text: string): string {
	return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
