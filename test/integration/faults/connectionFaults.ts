import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { selfSigned } from './selfSigned';

/** The way in which a server treats its connections. */
export interface ConnectionFault {
	/** Called with a connection instead of the TLS handshake. */
	insteadOfHandshake?(connection: Socket): void;
	/** Called when a request was read completely, instead of answering it. */
	afterRequest?(connection: Socket, request: IncomingMessage, response: ServerResponse, body: Buffer): void;
}

/** A server whose connections fail below HTTP. */
export interface ConnectionServer {
	url: string;
	/** Returns the number of requests that were read completely. */
	received(): number;
	/** Returns the number of connections that were accepted. */
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
	// The server of TLS does not give access to its connections, so another server accepts them.
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

/** Starts servers for the tests of a file. They end after each test, and no proxy leads to them. */
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
	/** Returns an address at which nothing listens. */
	const refusedUrl = async (certificate?: null) => {
		const server = await startConnectionServer({}, certificate);
		await server.close();
		return server.url;
	};
	return { start, refusedUrl };
}
