import { z } from 'zod';
import { maybeCount, maybeText } from '../../shared/http/looseSchemas';

/** Message object (interface, 2.4). Blocks other than text, and fields beyond the interface, are kept. */
export const messageSchema = z
	.object({
		id: maybeText,
		model: maybeText,
		content: z.array(z.object({ type: maybeText }).passthrough()),
		stop_reason: maybeText,
		usage: z.object({ input_tokens: maybeCount, output_tokens: maybeCount }).passthrough().nullish(),
	})
	.passthrough();

export type Message = z.infer<typeof messageSchema>;
