import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Emulator } from '../../emulator';

/** An answer of the emulator. */
export interface Recorded {
	status: number;
	type: string;
	body: Buffer;
}

/** The answers to the requests of one run, in order, by method and path. */
export type Recording = Map<string, Recorded[]>;

/** A gateway that passes the answers of the emulator on and records them, or repeats them with changes. */
export interface ChangingGateway {
	url: string;
	/** Passes everything on and records it, until it is called again or {@link repeat} is. */
	record(): Recording;
	/** Repeats a recording; after the last answer to a request, that one again. */
	repeat(recording: Recording, change: (answer: Recorded) => Recorded): void;
	close(): Promise<void>;
}

const UNKNOWN: Recorded = {
	status: 404,
	type: 'application/json',
	body: Buffer.from('{"error":{"message":"Nothing is there","type":"unknown"}}'),
};

export async function startChangingGateway(emulator: Emulator): Promise<ChangingGateway> {
	let answerTo: (name: string, request: IncomingMessage, body: Buffer) => Promise<Recorded> | Recorded;
	const server = createServer((request, response) => void respond(request, response));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
		try {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			const { status, type, body } = await answerTo(nameOf(request), request, Buffer.concat(chunks));
			response.writeHead(status, { 'content-type': type }).end(body);
		} catch {
			// A run that has failed does not wait for the rest.
			response.destroy();
		}
	}

	async function passOn(request: IncomingMessage, content: Buffer): Promise<Recorded> {
		const answer = await fetch(emulator.url + request.url, {
			method: request.method,
			headers: forwarded(request),
			body: content.length > 0 ? content : undefined,
		});
		const type = answer.headers.get('content-type') ?? '';
		const body = Buffer.from(await answer.arrayBuffer());
		const isText = /json|text/.test(type);
		const own = isText ? Buffer.from(body.toString().replaceAll(emulator.url, url)) : body;
		return { status: answer.status, type, body: own };
	}

	return {
		url,
		record() {
			const recording: Recording = new Map();
			answerTo = async (name, request, body) => {
				const answer = await passOn(request, body);
				recording.set(name, [...(recording.get(name) ?? []), answer]);
				return answer;
			};
			return recording;
		},
		repeat(recording, change) {
			const counts = new Map<string, number>();
			answerTo = (name) => {
				const answers = recording.get(name) ?? [UNKNOWN];
				const count = counts.get(name) ?? 0;
				counts.set(name, count + 1);
				return change(answers[Math.min(count, answers.length - 1)]);
			};
		},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

function nameOf({ method, url = '/' }: IncomingMessage): string {
	return `${method} ${url.split('?')[0]}`;
}

const FORWARDED = ['authorization', 'content-type', 'accept', 'x-api-key', 'msgapi-version'];

function forwarded({ headers }: IncomingMessage): Record<string, string> {
	return Object.fromEntries(
		FORWARDED.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])),
	);
}
