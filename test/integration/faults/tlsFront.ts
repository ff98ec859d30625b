import { randomBytes } from 'node:crypto';
import { request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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
		response: ServerResponse,
		body: Buffer,
	) => {
		const [, name, path] = /^\/(\d+)(.*)$/.exec(request.url ?? '') ?? [];
		const rule = rules.get(name);
		if (!rule) throw new Error(`There is no rule for ${request.url}`);
		const { emulator, when = '', ending } = rule;
		const isHit = rule.times > 0 && (path.includes(when) || body.includes(when));
		if (isHit) rule.times -= 1;
		const { host } = new URL(emulator.url);
		const { method, headers } = request;
		const relayed = sendRequest(
			emulator.url + path,
			{ method, headers: { ...headers, host, ...(isHit ? { [BROKEN_HEADER]: 'yes' } : {}) } },
			(answer) => {
				if (isHit) {
					answer.resume();
					ENDINGS[ending](connection);
				} else answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
			},
		);
		relayed.on('error', () => connection.destroy());
		relayed.end(body);
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
