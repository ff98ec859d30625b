import { z } from 'zod';
import { maybeCount, maybeText } from '../../shared/http/looseSchemas';

const candidate = z
	.object({
		// A candidate that was blocked has no content, or one without parts.
		content: z
			.object({ parts: z.array(z.object({}).passthrough()).nullish() })
			.passthrough()
			.nullish(),
		finishReason: maybeText,
	})
	.passthrough();

/** Generate-content response (interface, 2.5). Fields beyond the interface are kept. */
export const generateContentSchema = z
	.object({
		candidates: z.array(candidate).nullish(),
		promptFeedback: z.object({ blockReason: maybeText }).passthrough().nullish(),
		usageMetadata: z
			.object({
				promptTokenCount: maybeCount,
				candidatesTokenCount: maybeCount,
				thoughtsTokenCount: maybeCount,
				totalTokenCount: maybeCount,
			})
			.passthrough()
			.nullish(),
		modelVersion: maybeText,
		responseId: maybeText,
	})
	.passthrough();

export type GenerateContent = z.infer<typeof generateContentSchema>;
