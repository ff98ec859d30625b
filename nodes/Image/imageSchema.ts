import { z } from 'zod';
import { looseCount, looseText } from '../shared/http/looseSchemas';

/** Image generation response (interface, 2.6). Fields beyond the interface are kept. */
export const imageAnswerSchema = z
	.object({
		created: z.number().nullish(),
		data: z.array(z.object({ url: looseText, b64_json: looseText, revised_prompt: looseText }).passthrough()),
		usage: z
			.object({ input_tokens: looseCount, output_tokens: looseCount, total_tokens: looseCount })
			.passthrough()
			.nullish(),
	})
	.passthrough();

export type ImageAnswer = z.infer<typeof imageAnswerSchema>;

/** One image of an answer. */
export type ImageObject = ImageAnswer['data'][number];
