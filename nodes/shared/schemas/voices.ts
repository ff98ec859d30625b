import { z } from 'zod';
import { looseText } from './common';

/** Voice list (interface, 2.8 and 4.6). Fields beyond the interface are kept. */
export const voiceListSchema = z
	.object({
		voice_characters: z.array(
			z
				.object({
					name: z.string().min(1),
					// Documented as a label; some gateways send a boolean.
					public: z.union([z.string(), z.boolean()]).nullish(),
					description: looseText,
				})
				.passthrough(),
		),
		total: z.number().nullish(),
	})
	.passthrough();

export type Voice = z.infer<typeof voiceListSchema>['voice_characters'][number];
