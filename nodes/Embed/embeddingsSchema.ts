import { z } from 'zod';
import { looseCount, looseText } from '../shared/http/looseSchemas';

/**
 * Embeddings answer (interface, 4.12, which does not show it; this is the shape of comparable services). The
 * numbers of a vector are looked at where they are read: a schema would walk through them far more slowly.
 */
export const embeddingsSchema = z
	.object({
		data: z.array(z.object({ index: z.number().nullish(), embedding: z.unknown() }).passthrough()),
		model: looseText,
		usage: z.object({ prompt_tokens: looseCount, total_tokens: looseCount }).passthrough().nullish(),
	})
	.passthrough();

export type EmbeddingsAnswer = z.infer<typeof embeddingsSchema>;
