import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { selfSigned } from './selfSigned';

/** What a server does, and to which of its connections. */
export interface ConnectionFault {
	/** Done with a connection instead of the TLS handshake. */
	insteadOfHandshake?(connection: Socket): void;
	/** Done once a request was read completely, in place of an answer. */
	afterRequest?(connection: Socket, request: IncomingMessage, response: ServerResponse, body: Buffer): void;
}

/** A server whose connections fail below HTTP. */
export interface ConnectionServer {
	url: string;
	/** How many requests were read completely. */
	received(): number;
	/** How many connections were accepted. */
	accepted(): number;
	close(): Promise<void>;
}

/** A certificate that is valid for `localhost`, for clients that trust it. */
export const LOCALHOST = selfSigned('localhost');

/** Starts a server with TLS, or without it if `certificate` is null. */
async function startConnectionServer(
	{ insteadOfHandshake, afterRequest }: ConnectionFault,
	certificate: { key: string; cert: string } | null = LOCALHOST,
): Promise<ConnectionServer> {
	let received = 0;
	const connections: Socket[] = [];
	const answer = (request: IncomingMessage, response: ServerResponse) => {
		const { remotePort } = request.socket;
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.once('end', () => {
			received += 1;
			const connection = connections.findLast((one) => one.remotePort === remotePort);
			if (connection) afterRequest?.(connection, request, response, Buffer.concat(chunks));
		});
	};
	const server = certificate ? createHttpsServer(certificate, answer) : createHttpServer(answer);
	server.on('tlsClientError', () => undefined);
	// The connections of TLS are not at hand in the server of TLS.
	const front = createServer((connection) => {
		connection.on('error', () => undefined);
		connections.push(connection);
		if (insteadOfHandshake) insteadOfHandshake(connection);
		else server.emit('connection', connection);
	});
	front.listen(0, '127.0.0.1');
	await once(front, 'listening');
	const { port } = front.address() as AddressInfo;
	return {
		url: `${certificate ? 'https' : 'http'}://localhost:${port}`,
		received: () => received,
		accepted: () => connections.length,
		async close() {
			for (const connection of connections) connection.destroy();
			front.close();
			await once(front, 'close');
		},
	};
}

/** Servers for the tests of a file, which end with each test, and to which no proxy leads. */
export function useConnectionServers() {
	const servers: ConnectionServer[] = [];
	beforeAll(() => {
		for (const name of ['NO_PROXY', 'no_proxy', 'http_proxy', 'https_proxy']) delete process.env[name];
	});
	afterEach(async () => {
		await Promise.all(servers.splice(0).map(async (server) => await server.close()));
	});
	const start = async (...parameters: Parameters<typeof startConnectionServer>) => {
		const server = await startConnectionServer(...parameters);
		servers.push(server);
		return server;
	};
	/** An address at which nothing listens. */
	const refusedUrl = async (certificate?: null) => {
		const server = await startConnectionServer({}, certificate);
		await server.close();
		return server.url;
	};
	return { start, refusedUrl };
}
