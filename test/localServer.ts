import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A server on the loopback address. */
export interface LocalServer {
	url: string;
	close(): Promise<void>;
}

/** Starts a server. @param answer is called with each request once its body has arrived */
export async function startLocalServer(
	answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => unknown,
): Promise<LocalServer> {
	const server = createServer((request, response) => {
		void buffer(request).then((body) => answer(request, response, body));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
