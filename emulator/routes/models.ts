import type { FastifyPluginAsync } from 'fastify';
import { models } from '../catalogue/models';

/** Serves `GET /v1/models` (sections 2.1 and 4.11). */
export const modelRoutes: FastifyPluginAsync = async (app) => {
	app.get('/v1/models', async () => ({
		object: 'list',
		data: models.map(({ id, created, ownedBy }) => ({ id, object: 'model', created, owned_by: ownedBy })),
	}));
};
