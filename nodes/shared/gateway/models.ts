import { z } from 'zod';

/** Model list (interface, 2.1). Fields beyond the interface are kept. */
export const modelListSchema = z
	.object({ data: z.array(z.object({ id: z.string().min(1) }).passthrough()) })
	.passthrough();

export type Model = z.infer<typeof modelListSchema>['data'][number];
