import { z } from 'zod';
import { looseCount, looseText } from '../shared/http/looseSchemas';

/** Rerank answer (interface, 2.7). Fields beyond the interface are kept. */
export const rerankSchema = z
	.object({
		results: z.array(
			z.object({ index: z.number().int().nonnegative(), relevance_score: z.number().finite() }).passthrough(),
		),
		model: looseText,
		usage: z.object({ prompt_tokens: looseCount, total_tokens: looseCount }).passthrough().nullish(),
	})
	.passthrough();

export type RerankAnswer = z.infer<typeof rerankSchema>;
