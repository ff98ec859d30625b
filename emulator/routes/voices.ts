import type { FastifyPluginAsync } from 'fastify';
import type { RouteOptions } from './index';

/** The voice list under both of its paths (sections 2.8 and 4.6). */
export const voiceRoutes: FastifyPluginAsync<RouteOptions> = async (app, { voices }) => {
	for (const path of ['/v1/audio/voices', '/v1/voice/models/list']) {
		app.get(path, async () => ({
			success: true,
			voice_characters: voices.all,
			total: voices.all.length,
		}));
	}
};
