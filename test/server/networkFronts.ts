import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Identity } from '../integration/faults/selfSigned';

/** A forward proxy, as in a company network. */
export interface Proxy {
	port: number;
	/** The targets of the requests: an address, or the host and port of a tunnel. */
	readonly seen: string[];
	/** The header of each request with which n8n signed in. */
	readonly signIns: Array<string | undefined>;
	/** True to require a user name and a password that nobody has. */
	refuses: boolean;
	/** Stops listening at the port until {@link start} is called. */
	stop(): void;
	start(): Promise<void>;
}

/** Starts a proxy on a free port. */
export async function startProxy(): Promise<Proxy> {
	let server = createServer();
	const proxy: Proxy = {
		port: 0,
		seen: [],
		signIns: [],
		refuses: false,
		stop: () => close(server),
		start: async () => {
			server = createServer((incoming, response) => {
				const accepted = admit(incoming);
				if (accepted) relay(incoming, new URL(incoming.url ?? ''), response);
				else response.writeHead(407, CHALLENGE).end(PAGE);
			});
			server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
				socket.on('error', () => socket.destroy());
				tunnels.add(socket);
				if (admit(incoming)) return tunnel(incoming.url ?? '', socket);
				const lines = Object.entries(CHALLENGE).map(([name, value]) => `${name}: ${value}`);
				socket.end(`HTTP/1.1 407 Sign in\r\n${lines.join('\r\n')}\r\n\r\n${PAGE}`);
			});
			proxy.port = await listen(server, proxy.port);
		},
	};
	const admit = ({ url = '', headers }: IncomingMessage) => {
		proxy.seen.push(url);
		proxy.signIns.push(headers['proxy-authorization']);
		return !proxy.refuses;
	};
	await proxy.start();
	return proxy;
}

const PAGE = '<html><body>Cache Access Denied</body></html>';
const CHALLENGE = {
	'proxy-authenticate': 'Basic realm="proxy"',
	'content-type': 'text/html',
	'content-length': String(PAGE.length),
	connection: 'close',
};

/** A server with TLS in front of an address that is set later. */
export interface SecureFront {
	port: number;
	/** The origin to which requests are forwarded. */
	target: string;
	close(): void;
}

/** Starts a server with this certificate on a free port. */
export async function startSecureFront(identity: Identity): Promise<SecureFront> {
	const front: SecureFront = { port: 0, target: '', close: () => close(server) };
	const server = createTlsServer(identity, (incoming, response) => {
		relay(incoming, new URL(incoming.url ?? '/', front.target), response);
	});
	front.port = await listen(server, 0);
	return front;
}

function relay(
	incoming: IncomingMessage,
	{ hostname, port, pathname, search }: URL,
	to: ServerResponse,
): void {
	const { method, headers } = incoming;
	const outgoing = request({ hostname, port, path: pathname + search, method, headers });
	outgoing.once('response', (answer) => {
		to.writeHead(answer.statusCode ?? 502, answer.headers);
		answer.pipe(to);
	});
	outgoing.once('error', () => to.destroy());
	incoming.pipe(outgoing);
}

/** The sockets at both ends of all tunnels. */
const tunnels = new Set<Socket>();

function tunnel(target: string, socket: Socket): void {
	const { hostname, port } = new URL(`http://${target}`);
	const further = connect(Number(port), hostname, () => {
		socket.write('HTTP/1.1 200 Connected\r\n\r\n');
		socket.pipe(further).pipe(socket);
	});
	further.on('error', () => socket.destroy());
	tunnels.add(further);
}

async function listen(server: Server, port: number): Promise<number> {
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

/** Stops listening at once and ends all tunnels, whose connections no longer belong to the server. */
function close(server: Server): void {
	server.close().closeAllConnections();
	for (const socket of tunnels) socket.destroy();
	tunnels.clear();
}
