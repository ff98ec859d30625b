import type { Answer } from '../chat/conversation';
import type { StreamEvent } from '../http/streamEvent';
import type { CachedTokens } from './promptCache';

/** The metadata of an answer. */
export interface AnswerContext {
	/** The id of the model that answered. */
	model: string;
	/** Unix seconds. */
	created: number;
	/** The tokens that were read from the prompt cache or written to it, if the request used it. */
	cached?: CachedTokens;
}

/** Stream options from the request. */
export interface StreamOptions {
	/** Adds a last chunk with token usage (section 4.1, `stream_options`). */
	includeUsage: boolean;
}

/** One of the three response formats (sections 2.3 to 2.5). */
export interface AnswerFormat {
	/** Returns the answer as one JSON object. */
	whole(answer: Answer, context: AnswerContext): object;
	/** Returns the answer as the events of a stream, without the final `[DONE]`. */
	events(answer: Answer, context: AnswerContext, options: StreamOptions): StreamEvent[];
}

/** Splits JSON into the small deltas in which the arguments of a tool call are streamed. */
export function jsonDeltas(value: unknown): string[] {
	return JSON.stringify(value).match(/[^]{1,12}/gu) ?? [];
}
