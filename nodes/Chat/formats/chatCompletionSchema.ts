import { z } from 'zod';
import { maybeCount, maybeText } from '../../shared/http/looseSchemas';

const toolCall = z.object({
	id: maybeText,
	function: z.object({ name: maybeText, arguments: z.unknown() }),
});

const message = z.object({
	content: z.union([z.string(), z.array(z.unknown())]).nullish(),
	refusal: maybeText,
	reasoning_content: maybeText,
	reasoning: z.unknown(),
	tool_calls: z.array(toolCall).nullish(),
});

/** What is read of a chat completion, format A (interface, 2.3). */
export const chatCompletionSchema = z.object({
	id: maybeText,
	model: maybeText,
	choices: z.array(z.object({ message, finish_reason: maybeText })),
	usage: z
		.object({ prompt_tokens: maybeCount, completion_tokens: maybeCount, total_tokens: maybeCount })
		.nullish(),
});

export type ChatCompletionMessage = z.infer<typeof message>;
