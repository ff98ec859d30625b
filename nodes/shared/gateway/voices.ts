import { checkAnswer } from '../http/checkAnswer';
import type { GatewayClient, RequestOptions } from './client';
import { endpoints } from './endpoints';
import { GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { modelListSchema, type Model } from './models';
import { voiceListSchema, type Voice } from './voiceSchema';

/** The models that the key may use (interface, 4.11). */
export async function fetchModels(client: GatewayClient, options: RequestOptions = {}): Promise<Model[]> {
	const body = await client.json({ ...options, endpoint: endpoints.models });
	return checkAnswer(modelListSchema, body).data;
}

/** The voices that the account may use, from the path that the gateway has (interface, 4.6). */
export async function fetchVoices(client: GatewayClient, options: RequestOptions = {}): Promise<Voice[]> {
	const fetch = async (endpoint: typeof endpoints.voices | typeof endpoints.voicesAlternative) =>
		checkAnswer(voiceListSchema, await client.json({ ...options, endpoint })).voice_characters;
	try {
		return await fetch(endpoints.voices);
	} catch (error) {
		if (error instanceof GatewayFailure && error.facts.status === 404) {
			return await fetch(endpoints.voicesAlternative);
		}
		throw toFailure(error);
	}
}
