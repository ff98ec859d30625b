import type { Answer } from '../chat/conversation';
import type { StreamEvent } from '../http/eventStream';

/** What an answer carries besides its content. */
export interface AnswerContext {
	/** Id of the model that answered. */
	model: string;
	/** Unix seconds. */
	created: number;
}

/** What the request and the rules say about a stream. */
export interface StreamWishes {
	/** Token usage in a last chunk of its own (section 4.1, `stream_options`). */
	includeUsage: boolean;
	/** `usage: null` on all other chunks. */
	nullUsage: boolean;
}

/** One of the three response formats (sections 2.3 to 2.5). */
export interface AnswerFormat {
	/** The answer as one JSON object. */
	whole(answer: Answer, context: AnswerContext): object;
	/** The answer as the events of a stream, without a closing `[DONE]`. */
	events(answer: Answer, context: AnswerContext, wishes: StreamWishes): StreamEvent[];
}

/** JSON in the small pieces in which the arguments of a tool call are streamed. */
export function jsonDeltas(value: unknown): string[] {
	return JSON.stringify(value).match(/[^]{1,12}/gu) ?? [];
}
