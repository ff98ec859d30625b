import type { FastifyPluginAsync } from 'fastify';
import { builtInVoices } from '../catalogue/voices';

/** The voice list under both of its paths (sections 2.8 and 4.6). */
export const voiceRoutes: FastifyPluginAsync = async (app) => {
	for (const path of ['/v1/audio/voices', '/v1/voice/models/list']) {
		app.get(path, async () => ({
			success: true,
			voice_characters: builtInVoices,
			total: builtInVoices.length,
		}));
	}
};
