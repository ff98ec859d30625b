import type { FastifyRequest } from 'fastify';

const otherLoopbackName: Record<string, string> = {
	'127.0.0.1': 'localhost',
	'[::1]': 'localhost',
	localhost: '127.0.0.1',
};

/**
 * Returns the emulator's origin under its other loopback name. Responses link to files there, so a client sees another
 * origin, as with a real gateway.
 */
export function foreignOrigin(request: FastifyRequest): string {
	const name = otherLoopbackName[request.hostname] ?? request.hostname;
	return `${request.protocol}://${name}${request.port ? `:${request.port}` : ''}`;
}
