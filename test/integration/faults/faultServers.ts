import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { Worker } from 'node:worker_threads';
import { selfSigned } from './selfSigned';
import { startTlsFront, type TlsFront } from './tlsFront';

/** Addresses at which something fails before HTTP begins, and a foreign host. */
export interface FaultServers {
	/** Nothing listens there. */
	refused: string;
	/** Uses TLS with a certificate that no authority has signed. */
	untrusted: string;
	/** Closes the connection as soon as TLS begins. */
	brokenTls: string;
	/** Neither accepts nor refuses a connection. */
	silent: string;
	/** Another origin that answers every request with JSON. */
	foreign: string;
	/** Emulators behind TLS that breaks after a request. */
	tls: TlsFront;
	/** How many requests reached one of the servers that should receive none. */
	arrived(): number;
	close(): Promise<void>;
}

/** Starts all of them. */
export async function startFaultServers(): Promise<FaultServers> {
	let arrived = 0;
	const answer = (_request: unknown, response: { end: (body: string) => void }) => {
		arrived += 1;
		response.end('{}');
	};
	const closed = createServer();
	const untrusted = createHttpsServer(selfSigned('gateway.example'), answer);
	const brokenTls = createServer((socket) => socket.once('data', () => socket.destroy()));
	const foreign = createHttpServer((_request, response) =>
		response.setHeader('content-type', 'application/json').end('{"code":200,"message":"","data":{}}'),
	);
	const servers: Server[] = [closed, untrusted, brokenTls, foreign];
	const ports = await Promise.all(servers.map(listen));
	closed.close();
	const silent = await startSilentServer();
	const tls = await startTlsFront();
	return {
		tls,
		refused: `http://127.0.0.1:${ports[0]}`,
		untrusted: `https://127.0.0.1:${ports[1]}`,
		brokenTls: `https://127.0.0.1:${ports[2]}`,
		silent: `http://127.0.0.1:${silent.port}`,
		foreign: `http://127.0.0.1:${ports[3]}`,
		arrived: () => arrived,
		async close() {
			for (const server of servers) server.close();
			await Promise.all([silent.close(), tls.close()]);
		},
	};
}

async function listen(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

/**
 * A server that does nothing: the system accepts connections on its behalf until its short queue is full, and keeps
 * further connections waiting.
 */
async function startSilentServer(): Promise<{ port: number; close(): Promise<void> }> {
	const worker = new Worker(
		`const { parentPort } = require('node:worker_threads');
		const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
			parentPort.postMessage(server.address().port);
			setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
		});`,
		{ eval: true },
	);
	const [port] = (await once(worker, 'message')) as [number];
	// The system accepts two or three of them; those behind them wait.
	const fillers = Array.from({ length: 32 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
	await once(fillers[0], 'connect');
	return {
		port,
		async close() {
			for (const socket of fillers) socket.destroy();
			await worker.terminate();
		},
	};
}
