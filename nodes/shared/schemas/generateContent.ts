import { z } from 'zod';
import { looseCount, looseText } from './common';

const candidate = z
	.object({
		// A candidate that was blocked has no content, or one without parts.
		content: z
			.object({ parts: z.array(z.object({}).passthrough()).nullish() })
			.passthrough()
			.nullish(),
		finishReason: looseText,
	})
	.passthrough();

/** Generate-content response (interface, 2.5). Fields beyond the interface are kept. */
export const generateContentSchema = z
	.object({
		candidates: z.array(candidate).nullish(),
		promptFeedback: z.object({ blockReason: looseText }).passthrough().nullish(),
		usageMetadata: z
			.object({
				promptTokenCount: looseCount,
				candidatesTokenCount: looseCount,
				thoughtsTokenCount: looseCount,
				totalTokenCount: looseCount,
			})
			.passthrough()
			.nullish(),
		modelVersion: looseText,
		responseId: looseText,
	})
	.passthrough();

export type GenerateContent = z.infer<typeof generateContentSchema>;
