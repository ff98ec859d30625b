import { z } from 'zod';

/** The uniform JSON envelope of the utility endpoints (interface, 4.13). */
export const utilityEnvelopeSchema = z
	.object({ code: z.number(), message: z.string().nullish(), data: z.unknown() })
	.passthrough();
