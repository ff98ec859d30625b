import type { FastifyPluginAsync } from 'fastify';
import { publishedFile, publishedPath } from '../dialects/publishedFiles';

/** Serves the files to which answers in some dialects link, without a key like files of another host. */
export const publishedRoutes: FastifyPluginAsync = async (app) => {
	app.get<{ Params: { name: string } }>(`${publishedPath}/:name`, async (request, reply) => {
		const file = publishedFile(request.params.name);
		if (!file) return reply.code(404).type('text/plain').send('There is no such file.');
		return reply.type(file.contentType).send(file.bytes);
	});
};
