import { inputFailure } from '../../shared/errors/errorMessages';
import type { SentFile } from '../../shared/files/sentFiles';
import { asRecord, isBlank } from '../../shared/plain/values';
import type { Thoughts } from './thoughts';

/** One part of a turn. */
export type Part =
	| { type: 'text'; text: string }
	| FilePart
	/** The content of a text file. */
	| { type: 'document'; name: string; text: string }
	/** A tool call that the model requested earlier. */
	| { type: 'toolCall'; id: string; name: string; arguments: Record<string, unknown> }
	/** The result of that tool. */
	| { type: 'toolResult'; id: string; name: string; text: string; files?: FilePart[] };

/** A kind of file that some models can read. */
export type FileKind = 'audio' | 'image' | 'pdf' | 'text' | 'video';

/** A file for the model. */
export interface FilePart {
	type: 'file';
	kind: FileKind;
	/** With its extension. */
	name: string;
	sent: SentFile;
}

/** A message of one side of a conversation. */
export interface Turn {
	/** A system turn contains only texts. */
	role: 'system' | 'user' | 'assistant';
	parts: Part[];
	/** What the model thought before the tool calls of this turn. */
	thoughts?: Thoughts;
}

export interface Conversation {
	/** How the model should behave; empty for none. */
	system: string;
	turns: Turn[];
}

export interface Tool {
	name: string;
	description: string;
	parameters: Record<string, unknown>;
}

/**
 * Checks that each function can be called.
 *
 * @throws GatewayFailure (kind `input`) when two have the same name
 */
export function checkToolNames(names: string[]): void {
	const twice = names.find((name, index) => names.indexOf(name) !== index);
	if (twice === undefined) return;
	throw inputFailure(
		'Tools',
		`contain two with the name "${twice}", so the model could call only one of them`,
		'Rename one of the tool nodes. n8n turns each character other than letters, digits, hyphens, and underscores into an underscore.',
	);
}

/** The same conversation for formats with one system text and no system turns: their texts are appended to it. */
export function withoutSystemTurns({ system, turns }: Conversation): Conversation {
	const texts = turns.filter(({ role }) => role === 'system').map((turn) => plainTextOf(turn) ?? '');
	return {
		system: joinTexts([system, ...texts]),
		turns: turns.filter(({ role }) => role !== 'system'),
	};
}

/** The texts that are not blank, as paragraphs of one text. */
export function joinTexts(texts: string[]): string {
	return texts.filter((text) => !isBlank(text)).join('\n\n');
}

/** The texts of a turn as one text; undefined when the turn contains anything else. */
export function plainTextOf({ parts }: Turn): string | undefined {
	const texts = parts.map((part) => (part.type === 'text' ? part.text : undefined));
	return texts.includes(undefined) ? undefined : texts.join('');
}

/** The schema of a function's arguments. Functions without any have an empty schema, or one that cannot be converted. */
export function functionSchema(schema: unknown): Record<string, unknown> {
	const fields = asRecord(schema);
	return fields?.type === 'object' ? withoutDraft(fields) : { type: 'object', properties: {} };
}

/** Some formats reject unknown fields. */
function withoutDraft(schema: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema'));
}
