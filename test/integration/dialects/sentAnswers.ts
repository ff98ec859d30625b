import { createHash } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How much of each answer is recorded, in bytes. All texts, links, and IDs of the emulator come sooner.
 */
const RECORDED_BYTES = 20_000;

/** What a server in this process sent for one request, faults included. */
export interface SentAnswer {
	/** The beginning of the body, as on the network. */
	readonly beginning: Buffer;
	/** SHA-256 of the body, as far as it was sent, as on the network. */
	readonly digest: string;
	/** Whether the body was sent to its end. */
	readonly isComplete: boolean;
}

/** Records what the servers in this process send. */
export interface SentAnswers {
	/** The answers of the server at a port since the last `forget`, in the order of the requests. */
	of(port: number): SentAnswer[];
	forget(port: number): void;
	stop(): void;
}

class Recording implements SentAnswer {
	private readonly chunks: Buffer[] = [];
	private kept = 0;
	private readonly hash = createHash('sha256');

	constructor(private readonly response: ServerResponse) {
		const { write, end } = response;
		// Fastify writes and ends responses in many ways, but every one of them comes through these two.
		response.write = ((...parts: Parameters<typeof write>) => {
			this.add(parts[0]);
			return write.apply(response, parts);
		}) as typeof write;
		response.end = ((...parts: Parameters<typeof end>) => {
			this.add(parts[0]);
			return end.apply(response, parts);
		}) as typeof end;
	}

	get beginning(): Buffer {
		return Buffer.concat(this.chunks);
	}

	get digest(): string {
		return this.hash.copy().digest('hex');
	}

	get isComplete(): boolean {
		return this.response.writableFinished;
	}

	private add(chunk: unknown): void {
		if (typeof chunk !== 'string' && !Buffer.isBuffer(chunk)) return;
		const bytes = Buffer.from(chunk);
		this.hash.update(bytes);
		if (this.kept >= RECORDED_BYTES) return;
		this.chunks.push(bytes.subarray(0, RECORDED_BYTES - this.kept));
		this.kept += bytes.length;
	}
}

/** Starts to record. */
export function recordAnswers(): SentAnswers {
	const answers = new Map<number, Recording[]>();
	const onRequest = (message: unknown) => {
		const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
		const port = request.socket.localPort ?? 0;
		answers.set(port, [...(answers.get(port) ?? []), new Recording(response)]);
	};
	subscribe('http.server.request.start', onRequest);
	return {
		of: (port) => answers.get(port) ?? [],
		forget: (port) => void answers.delete(port),
		stop: () => unsubscribe('http.server.request.start', onRequest),
	};
}
