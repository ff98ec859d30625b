import type { Model } from '../catalogue/models';

/** One message of a conversation, in any request format. */
export interface Turn {
	role: 'user' | 'assistant' | 'tool';
	text: string;
	/** Number of image parts. */
	images: number;
	/** Number of parts with documents and recordings. */
	files?: number;
	/** Name of the tool that returned this result, if the format contains it. */
	toolName?: string;
}

/** A function that the model may call. */
export interface Tool {
	name: string;
	description: string;
	/** JSON Schema of the arguments. */
	parameters: Record<string, unknown>;
}

/** A chat request, in any request format. */
export interface Question {
	model: Model;
	/** All system texts, joined. */
	system: string;
	turns: Turn[];
	maxTokens?: number;
	stop: string[];
	/** JSON Schema of the answer; true for any JSON. */
	json?: true | Record<string, unknown>;
	tools: Tool[];
	toolChoice: 'auto' | 'none' | 'required' | { name: string };
	/** True if an answer may call at most one tool. */
	oneToolAtATime?: boolean;
	/** True if the model thinks before it answers. */
	thinks?: boolean;
}

/** A function call of the model. */
export interface ToolCall {
	/** Does not have the prefix that a format adds. */
	id: string;
	name: string;
	arguments: unknown;
}

/** A chat answer, before it is converted to a response format. */
export interface Answer {
	/** Has 24 hexadecimal digits, without the prefix that a format adds. */
	id: string;
	text: string;
	/** Excludes text: an answer with calls has none. */
	toolCalls: ToolCall[];
	ending: 'stop' | 'length' | 'stopSequence' | 'toolCalls' | 'refusal' | 'filtered' | 'blocked';
	/** The model's reasoning before the answer; may be empty. */
	thinking: string;
	/** Lengths of the text blocks, for the formats that have blocks. */
	blockLengths: number[];
	/** The stop sequence that ended the answer. */
	stopSequence: string | null;
	inputTokens: number;
	outputTokens: number;
}

/** Returns the text as blocks, for the formats that have blocks. */
export function textBlocksOf({ text, blockLengths }: Answer): string[] {
	let start = 0;
	return blockLengths.map((length) => text.slice(start, (start += length)));
}

/** What the model thinks about a question. @param round how often it has got tool results since the user's last words */
export function thinkingAbout(question: Question, round = toolRounds(question)): string {
	const thought = `Let me think about "${lastUserText(question).slice(0, 80)}".`;
	return round === 0 ? thought : `${thought} This is step ${round + 1}.`;
}

/** Returns the text of the latest user message; empty if there is none. */
export function lastUserText({ turns }: Question): string {
	return turns.findLast(({ role }) => role === 'user')?.text ?? '';
}

/** Returns the results of the tools called since the latest user message. */
export function toolResults({ turns }: Question): Turn[] {
	return sinceUser(turns).filter(({ role }) => role === 'tool');
}

/** How often the model has got tool results since the latest user message; results that come together count once. */
export function toolRounds({ turns }: Question): number {
	return sinceUser(turns).filter(({ role }, index, all) => role === 'tool' && all[index - 1]?.role !== 'tool')
		.length;
}

function sinceUser(turns: Turn[]): Turn[] {
	const lastUser = turns.findLastIndex(({ role, text }) => role === 'user' && text !== '');
	return turns.slice(lastUser + 1);
}
