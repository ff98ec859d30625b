import type { Endpoint } from '../shared/send/endpoints';
import type { Fields } from './formats/assembler';
import type { Turn } from './formats/conversation';
import type { Tool } from './formats/functions';
import type { ChatInput, InputSettings } from './input.fields';
import type { Schema } from './json/keywords';

/** What to ask a chat model, independent of the format. */
export interface ChatQuestion {
	model: string;
	input: ChatInput;
	/** What follows the input: earlier answers to it, and the results of their tool calls. */
	further: Turn[];
	tools: Tool[];
	schemaFields: Fields | undefined;
	streamed: boolean;
}

export interface ChatRequest {
	endpoint: Endpoint;
	query?: Record<string, string>;
	body: Fields;
}

/** How an operation writes its questions, with the parameters of one item. */
export interface QuestionWriter {
	input: InputSettings;
	/** The fields for an answer in JSON; undefined for a schema that the format has no field for. */
	schemaFields(schema: Schema, hasTools: boolean): Fields | undefined;
	/** Functions that the user declares without a tool, and whose calls are part of the output. */
	ownFunctions?: string[];
	request(question: ChatQuestion): ChatRequest;
}
