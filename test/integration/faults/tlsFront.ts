import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Emulator } from '../../../emulator';
import { startConnectionServer } from './connectionFaults';

/** A fatal alert (handshake failure) as a record without encryption. */
const ALERT = Buffer.from([21, 3, 3, 0, 2, 2, 40]);

/** A header of the requests whose answers do not reach the client. */
export const BROKEN_HEADER = 'x-broken-connection';

/** How the encrypted connection of a request ends, once the gateway has carried the request out. */
const ENDINGS = {
	alert: (connection: Socket) => connection.write(ALERT),
	garbage: (connection: Socket) => connection.write(randomBytes(300)),
	reset: (connection: Socket) => connection.resetAndDestroy(),
	end: (connection: Socket) => connection.destroy(),
};

export type Ending = keyof typeof ENDINGS;

/** Which requests lose their connection. */
export interface Broken {
	emulator: Emulator;
	ending: Ending;
	times: number;
	/** Text that the address or the body must contain; default: all requests. */
	when?: string;
}

/** Emulators behind TLS. */
export interface TlsFront {
	/** A base address of an emulator at which requests lose their connections. */
	urlOf(broken: Broken): string;
	close(): Promise<void>;
}

/** Starts a server with TLS in front of any number of emulators. */
export async function startTlsFront(): Promise<TlsFront> {
	const rules = new Map<string, Broken>();
	const afterRequest = (
		connection: Socket,
		request: IncomingMessage,
		_response: ServerResponse,
		body: Buffer,
	) => {
		const [, name, path] = /^\/(\d+)(.*)$/.exec(request.url ?? '') ?? [];
		const rule = rules.get(name);
		if (!rule) throw new Error(`There is no rule for ${request.url}`);
		const { emulator, when = '', ending } = rule;
		const isHit = rule.times > 0 && (path.includes(when) || body.includes(when));
		if (isHit) rule.times -= 1;
		const headers = { ...request.headers, ...(isHit ? { [BROKEN_HEADER]: 'yes' } : {}) };
		relay(request.method ?? 'GET', path, headers, body, emulator, (answer) => {
			if (isHit) answer.resume().once('end', () => ENDINGS[ending](connection));
			else answer.pipe(request.socket);
		});
	};
	const server = await startConnectionServer({ afterRequest });
	return {
		urlOf(broken) {
			const name = String(rules.size);
			rules.set(name, { ...broken });
			return `${server.url}/${name}`;
		},
		close: async () => await server.close(),
	};
}

/** Sends a request on, with the emulator's own host, from which the emulator makes its links. */
function relay(
	method: string,
	path: string,
	headers: IncomingHttpHeaders,
	body: Buffer,
	{ port }: Emulator,
	onConnection: (answer: Socket) => void,
): void {
	const own = { ...headers, host: `127.0.0.1:${port}`, connection: 'close' };
	const lines = Object.entries(own).map(([name, value]) => `${name}: ${String(value)}`);
	const socket = connect(port, '127.0.0.1');
	socket.on('error', () => socket.destroy());
	socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
	socket.write(body);
	onConnection(socket);
}
