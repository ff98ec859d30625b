import type { Model } from '../catalogue/models';

/** One message of a conversation, whatever format it came in. */
export interface Turn {
	role: 'user' | 'assistant' | 'tool';
	text: string;
	/** Number of image parts. */
	images: number;
	/** Name of the tool whose result this is, where the format tells it. */
	toolName?: string;
}

/** A function that the model may ask for. */
export interface Tool {
	name: string;
	description: string;
	/** JSON Schema of the arguments. */
	parameters: Record<string, unknown>;
}

/** A request for a chat answer, whatever format it came in. */
export interface Question {
	model: Model;
	/** All system texts, joined. */
	system: string;
	turns: Turn[];
	maxTokens?: number;
	/** Texts at which the answer ends. */
	stop: string[];
	/** JSON Schema of the answer; true for JSON of any form. */
	json?: true | Record<string, unknown>;
	tools: Tool[];
	toolChoice: 'auto' | 'none' | 'required' | { name: string };
	/** Whether an answer may call one tool at most. */
	oneToolAtATime?: boolean;
}

/** The model asks for a function. */
export interface ToolCall {
	/** Without the prefix that a format puts in front. */
	id: string;
	name: string;
	arguments: unknown;
}

/** A chat answer, before it takes the shape of a format. */
export interface Answer {
	/** 24 hexadecimal digits, without the prefix that a format puts in front. */
	id: string;
	text: string;
	/** With calls there is no text. */
	toolCalls: ToolCall[];
	ending: 'stop' | 'length' | 'stopSequence' | 'toolCalls' | 'refusal' | 'filtered' | 'blocked';
	/** What the model thinks before it answers; empty for nothing. */
	thinking: string;
	/** Lengths of the pieces in which formats with blocks give the text. */
	pieces: number[];
	/** The text that ended the answer. */
	stopSequence: string | null;
	inputTokens: number;
	outputTokens: number;
}

/** The text in the pieces in which formats with blocks give it. */
export function piecesOf({ text, pieces }: Answer): string[] {
	let start = 0;
	return pieces.map((length) => text.slice(start, (start += length)));
}

/** Text of the newest user message; empty when there is none. */
export function lastUserText({ turns }: Question): string {
	return turns.findLast(({ role }) => role === 'user')?.text ?? '';
}

/** Results of the tools that were called since the newest user message. */
export function toolResults({ turns }: Question): Turn[] {
	const lastUser = turns.findLastIndex(({ role, text }) => role === 'user' && text !== '');
	return turns.slice(lastUser + 1).filter(({ role }) => role === 'tool');
}
