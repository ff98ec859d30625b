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
	/** Says how the model should behave; empty for none. */
	system: string;
	turns: Turn[];
}

/** The input of a request. */
export interface ChatInput extends Conversation {
	/** Messages before the turns, as the user wrote them. */
	messages?: object[];
}

/** The messages of an input in a format. */
export function messagesOf<Message extends object>(
	{ messages, system, turns }: ChatInput,
	write: (conversation: Conversation) => Message[],
): object[] {
	return messages ? [...messages, ...write({ system: '', turns })] : write({ system, turns });
}

/** The input with an instruction at the end of the system prompt. Messages in JSON may have none, and stay as they are. */
export function withInstruction(input: ChatInput, instruction: string): ChatInput {
	return { ...input, system: joinTexts([input.system, instruction]) };
}

/** The same conversation for formats with one system text and no system turns: their texts are appended to it. */
export function withoutSystemTurns({ system, turns }: Conversation): Conversation {
	const texts = turns.filter(({ role }) => role === 'system').map((turn) => plainTextOf(turn) ?? '');
	return {
		system: joinTexts([system, ...texts]),
		turns: turns.filter(({ role }) => role !== 'system'),
	};
}

/** The parts of a turn in a format, among what else the model has said before its calls, in the same order. */
export function partsOfTurn({ parts, thoughts }: Turn, write: (part: Part) => object[]): object[] {
	const said = thoughts?.parts ?? [];
	if (said.every(({ callId }) => callId !== undefined)) return parts.flatMap(write);
	return said.flatMap(({ callId, fields }) => {
		const calls = parts.filter((part) => part.type === 'toolCall' && part.id === callId);
		return callId === undefined ? [fields] : calls.flatMap(write);
	});
}

/** The texts that are not blank, as paragraphs of one text. */
export function joinTexts(texts: string[]): string {
	return texts.filter((text) => !isBlank(text)).join('\n\n');
}

export function isCall(part: Part): part is CallPart {
	return part.type === 'toolCall';
}

/** The texts of a turn as one text; undefined when the turn contains anything else. */
export function plainTextOf({ parts }: Turn): string | undefined {
	const texts = parts.map((part) => (part.type === 'text' ? part.text : undefined));
	return texts.includes(undefined) ? undefined : texts.join('');
}

/** Keeps what a model has said before it called tools. Models that reason refuse the results of their calls without it. */
export interface Thoughts {
	model: string;
	/** The parts of the answer, in its order, with the fields that the format takes back. */
	parts: AnswerPart[];
	/** The fields of the message. */
	fields: Fields;
}

export interface AnswerPart {
	/** The ID of the call that the part is; undefined for anything else. */
	callId?: string;
	fields: Fields;
}

/** The fields of the part that a call was. */
export function fieldsOfCall(thoughts: Thoughts | undefined, id: string): Fields {
	return thoughts?.parts.find(({ callId }) => callId === id)?.fields ?? {};
}

/** Parts with the IDs that their calls have got, in the same order. @param isCall whether a part is a call with a name */
export function withCallIds(
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

/** The fields with one of the names that are not empty. */
export function picked(fields: Fields, names: string[]): Fields {
	const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
	return Object.fromEntries(
		Object.entries(fields).filter(([name, value]) => names.includes(name) && !isEmpty(value)),
	);
}
