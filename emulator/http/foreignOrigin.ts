import type { FastifyRequest } from 'fastify';

const otherLoopbackName: Record<string, string> = {
	'127.0.0.1': 'localhost',
	'[::1]': 'localhost',
	localhost: '127.0.0.1',
};

/**
 * The emulator under its other loopback name. Files that answers point to lie there, so that a client sees a foreign
 * origin, as with a real service.
 */
export function foreignOrigin(request: FastifyRequest): string {
	const name = otherLoopbackName[request.hostname] ?? request.hostname;
	return `${request.protocol}://${name}${request.port ? `:${request.port}` : ''}`;
}
