import type { SentFile } from '../../shared/files/sentFiles';
import { isBlank, type Fields } from '../../shared/plain/values';

export type Part =
	| { type: 'text'; text: string }
	| FilePart
	/** The content of a text file. */
	| { type: 'document'; name: string; text: string }
	| CallPart
	| { type: 'toolResult'; id: string; name: string; text: string; files?: FilePart[] };

export interface CallPart {
	type: 'toolCall';
	id: string;
	name: string;
	arguments: Fields;
}

export type FileKind = 'audio' | 'image' | 'pdf' | 'text' | 'video';

export interface FilePart {
	type: 'file';
	kind: FileKind;
	name: string;
	sent: SentFile;
}

export interface Turn {
	/** A system turn contains only texts. */
	role: 'system' | 'user' | 'assistant';
	parts: Part[];
	/** The thoughts of the model before the tool calls of this turn. */
	thoughts?: Thoughts;
}

export interface Conversation {
	/** Instructions for how the model should behave; empty for none. */
	system: string;
	turns: Turn[];
}

/** The input of a request. */
export interface ChatInput extends Conversation {
	/** Messages before the turns, as the user wrote them. */
	messages?: object[];
}

/** Returns the messages of an input in a format. @param write writes a conversation in this format */
export function messagesOf<Message extends object>(
	{ messages, system, turns }: ChatInput,
	write: (conversation: Conversation) => Message[],
): object[] {
	return messages ? [...messages, ...write({ system: '', turns })] : write({ system, turns });
}

/** Adds an instruction to the end of the system prompt. Messages in JSON stay as they are. */
export function withInstruction(input: ChatInput, instruction: string): ChatInput {
	return { ...input, system: joinTexts([input.system, instruction]) };
}

/** Moves the texts of system turns to the end of the system text, for formats that have no system turns. */
export function withoutSystemTurns({ system, turns }: Conversation): Conversation {
	const texts = turns.filter(({ role }) => role === 'system').map((turn) => plainTextOf(turn) ?? '');
	return {
		system: joinTexts([system, ...texts]),
		turns: turns.filter(({ role }) => role !== 'system'),
	};
}

/** Writes the parts of a turn in a format. Thoughts and tool calls keep the order in which the model gave them. */
export function partsOfTurn({ parts, thoughts }: Turn, write: (part: Part) => object[]): object[] {
	const said = thoughts?.parts ?? [];
	if (said.every(({ callId }) => callId !== undefined)) return parts.flatMap(write);
	return said.flatMap(({ callId, fields }) => {
		const calls = parts.filter((part) => part.type === 'toolCall' && part.id === callId);
		return callId === undefined ? [fields] : calls.flatMap(write);
	});
}

/** Joins the texts that are not blank, as paragraphs. */
export function joinTexts(texts: string[]): string {
	return texts.filter((text) => !isBlank(text)).join('\n\n');
}

export function isCall(part: Part): part is CallPart {
	return part.type === 'toolCall';
}

/** Joins the texts of a turn. Returns undefined if the turn contains anything else. */
export function plainTextOf({ parts }: Turn): string | undefined {
	const texts = parts.map((part) => (part.type === 'text' ? part.text : undefined));
	return texts.includes(undefined) ? undefined : texts.join('');
}

/** The thoughts of a model before it called tools. Models that reason refuse the results of calls without them. */
export interface Thoughts {
	model: string;
	/** The parts of the answer, in its order, with the fields that the format takes back. */
	parts: AnswerPart[];
	/** The fields of the message that the format takes back. */
	fields: Fields;
}

interface AnswerPart {
	/** The ID of the tool call, if the part is one. */
	callId?: string;
	fields: Fields;
}

/** Returns the fields of the part that contained a call; none if it is unknown. */
export function fieldsOfCall(thoughts: Thoughts | undefined, id: string): Fields {
	return thoughts?.parts.find(({ callId }) => callId === id)?.fields ?? {};
}

/** Gives the calls among parts their IDs, in order. @param isCall tells whether a part is a call with a name */
export function partsWithCallIds(
	parts: Fields[],
	ids: string[],
	isCall: (part: Fields) => boolean,
	fieldsOf: (part: Fields) => Fields,
): AnswerPart[] {
	let next = 0;
	return parts
		.map((part) => ({ ...(isCall(part) ? { callId: ids[next++] } : {}), fields: fieldsOf(part) }))
		.filter(({ callId, fields }) => callId !== undefined || Object.keys(fields).length > 0);
}

/** Returns the fields that have one of the names and are not empty. */
export function picked(fields: Fields, names: string[]): Fields {
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	return Object.fromEntries(
		Object.entries(fields).filter(([name, value]) => names.includes(name) && !isEmpty(value)),
	);
}
