import { z } from 'zod';
import { checkAnswer } from '../http/checkAnswer';
import type { GatewayClient, RequestOptions } from './client';
import { endpoints } from './endpoints';

/** Model list (interface, 2.1). Fields beyond the interface are kept. */
const modelListSchema = z
	.object({ data: z.array(z.object({ id: z.string().min(1) }).passthrough()) })
	.passthrough();

export type Model = z.infer<typeof modelListSchema>['data'][number];

/** The models that the key may use (interface, 4.11). */
export async function fetchModels(client: GatewayClient, options: RequestOptions = {}): Promise<Model[]> {
	const body = await client.json({ ...options, endpoint: endpoints.models });
	return checkAnswer(modelListSchema, body).data;
}
