import { z } from 'zod';
import { looseCount, looseText } from './common';

const toolCall = z
	.object({
		id: looseText,
		function: z.object({ name: looseText, arguments: z.unknown() }).passthrough(),
	})
	.passthrough();

const message = z
	.object({
		content: z.union([z.string(), z.array(z.unknown())]).nullish(),
		refusal: looseText,
		reasoning_content: looseText,
		reasoning: z.unknown(),
		tool_calls: z.array(toolCall).nullish(),
	})
	.passthrough();

/** Chat completion, format A (interface, 2.3). Fields beyond the interface are kept. */
export const chatCompletionSchema = z
	.object({
		id: looseText,
		model: looseText,
		choices: z.array(z.object({ message, finish_reason: looseText }).passthrough()),
		usage: z
			.object({ prompt_tokens: looseCount, completion_tokens: looseCount, total_tokens: looseCount })
			.passthrough()
			.nullish(),
	})
	.passthrough();

export type ChatCompletion = z.infer<typeof chatCompletionSchema>;
export type ChatCompletionMessage = z.infer<typeof message>;
