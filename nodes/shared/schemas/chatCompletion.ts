import { z } from 'zod';
import { looseCount, looseText } from './common';

/** Chat completion, format A (interface, 2.3). Fields beyond the interface are kept. */
export const chatCompletionSchema = z
	.object({
		id: looseText,
		model: looseText,
		choices: z
			.array(
				z
					.object({
						message: z
							.object({ role: looseText, content: z.union([z.string(), z.array(z.unknown())]).nullish() })
							.passthrough(),
						finish_reason: looseText,
					})
					.passthrough(),
			)
			.min(1),
		usage: z
			.object({
				prompt_tokens: looseCount,
				completion_tokens: looseCount,
				total_tokens: looseCount,
			})
			.passthrough()
			.nullish(),
	})
	.passthrough();

export type ChatCompletion = z.infer<typeof chatCompletionSchema>;
