import { z } from 'zod';
import { GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { checkAnswer, listOf, looseText } from '../http/schemas';
import type { GatewayClient, RequestOptions } from './client';
import { endpoints } from './endpoints';

/** Model list (interface, 2.1). Fields beyond the interface are kept. */
const modelListSchema = z
	.object({ data: listOf(z.object({ id: z.string().min(1) }).passthrough()) })
	.passthrough();

export type Model = z.infer<typeof modelListSchema>['data'][number];

/** The models that the key may use (interface, 4.11). */
export async function fetchModels(client: GatewayClient, options: RequestOptions = {}): Promise<Model[]> {
	const body = await client.json({ ...options, endpoint: endpoints.models });
	return checkAnswer(modelListSchema, body).data;
}

/** Documented as a label for voices and as a boolean for new models; both are accepted everywhere. */
export const visibilitySchema = z.union([z.string(), z.boolean()]).nullish();

/** Voice list (interface, 2.8 and 4.6). Fields beyond the interface are kept. */
const voiceListSchema = z
	.object({
		success: z
			.boolean()
			.nullish()
			.refine((success) => success !== false, 'the gateway reports that it did not succeed'),
		voice_characters: listOf(
			z.object({ name: z.string().min(1), public: visibilitySchema, description: looseText }).passthrough(),
		),
		total: z.number().nullish(),
	})
	.passthrough();

export type Voice = z.infer<typeof voiceListSchema>['voice_characters'][number];

/** The voices that the account may use, from whichever of the two documented paths the gateway has (interface, 4.6). */
export async function fetchVoices(client: GatewayClient, options: RequestOptions = {}): Promise<Voice[]> {
	const fetch = async (endpoint: typeof endpoints.voices | typeof endpoints.voicesAlternative) =>
		checkAnswer(voiceListSchema, await client.json({ ...options, endpoint })).voice_characters;
	try {
		return await fetch(endpoints.voices);
	} catch (error) {
		const isMissing = error instanceof GatewayFailure && error.facts.status === 404;
		if (isMissing) return await fetch(endpoints.voicesAlternative);
		throw toFailure(error);
	}
}

/** Whether everybody may use a voice. */
export function isPublic({ public: value }: Pick<Voice, 'public'>): boolean {
	return value === true || (typeof value === 'string' && /^(public|true)$/i.test(value.trim()));
}
