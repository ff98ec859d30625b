import { z } from 'zod';
import { looseCount, looseText } from './common';

/** Message object (interface, 2.4). Blocks other than text, and fields beyond the interface, are kept. */
export const messageSchema = z
	.object({
		id: looseText,
		model: looseText,
		content: z.array(z.object({ type: looseText }).passthrough()),
		stop_reason: looseText,
		usage: z.object({ input_tokens: looseCount, output_tokens: looseCount }).passthrough().nullish(),
	})
	.passthrough();

export type Message = z.infer<typeof messageSchema>;
