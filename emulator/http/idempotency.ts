import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Journal } from '../journal';
import type { Payload } from './bodyFaults';
import { RequestFailure } from './errors';
import type { Exchange, KeptAnswer, Settle } from './exchange';

/** The size of the largest answer that is kept. After a larger one, a repeated request is carried out again. */
const maxKeptBytes = 32 * 1024 * 1024;
const maxKeys = 10_000;

/** Keeps the newest 10,000 idempotency keys with the answers of their first requests. */
export class IdempotencyKeys {
	private readonly known = new Map<
		string,
		{ fingerprint: string; answer: Promise<KeptAnswer | undefined> }
	>();

	/**
	 * Waits for the first request with the same key, if it is in progress.
	 * @returns its answer; if there is none, a function that settles this request, which becomes the first
	 * @throws RequestFailure 422 if the first request was a different one
	 */
	async claim(key: string, fingerprint: string): Promise<KeptAnswer | Settle> {
		for (let first = this.known.get(key); first; first = this.known.get(key)) {
			if (first.fingerprint !== fingerprint) throw keyReused();
			const answer = await first.answer;
			if (answer) return answer;
		}
		let resolve: (answer?: KeptAnswer) => void = () => undefined;
		const entry = { fingerprint, answer: new Promise<KeptAnswer | undefined>((done) => (resolve = done)) };
		this.known.set(key, entry);
		if (this.known.size > maxKeys) this.known.delete(this.known.keys().next().value as string);
		let isSettled = false;
		return (answer) => {
			if (isSettled) return;
			isSettled = true;
			if (!answer && this.known.get(key) === entry) this.known.delete(key);
			resolve(answer);
		};
	}
}

function keyReused(): RequestFailure {
	return new RequestFailure(
		422,
		'invalid_request_error',
		'idempotency_key_reused',
		'This idempotency key was used for a different request.',
	);
}

/** The same for the same request. The boundary of a form differs with each attempt, so its parts are compared. */
function fingerprintOf(request: FastifyRequest, { form }: Exchange['received']): string {
	const hash = createHash('sha256').update(`${request.method} ${request.url}\n`);
	if (!form) return hash.update(Buffer.isBuffer(request.body) ? request.body : '').digest('hex');
	hash.update(JSON.stringify(form.fields));
	for (const { field, fileName, contentType, bytes, start } of form.files) {
		hash.update(JSON.stringify([field, fileName, contentType, bytes])).update(start);
	}
	return hash.digest('hex');
}

/**
 * Answers a POST whose idempotency key was used before with the answer to the first request.
 * @returns false if the request must be carried out
 */
export async function answeredBefore(
	request: FastifyRequest,
	reply: FastifyReply,
	exchange: Exchange,
	{ keys, journal }: { keys: IdempotencyKeys; journal: Journal },
): Promise<boolean> {
	const header = exchange.treatment.idempotencyHeader?.toLowerCase();
	const key = header === undefined ? undefined : request.headers[header]?.toString();
	if (!key || request.method !== 'POST') return false;
	const claim = await keys.claim(key, fingerprintOf(request, exchange.received));
	if (typeof claim === 'function') {
		exchange.settle = claim;
		if (exchange.signal.aborted) claim();
		else reply.raw.once('close', () => claim());
		return false;
	}
	journal.update(exchange.entry, { replayOf: claim.requestId });
	void reply.code(claim.status).headers(claim.headers).send(claim.body);
	return true;
}

async function bytesOf(payload: Payload): Promise<Buffer> {
	if (!(payload instanceof Readable)) return Buffer.from(payload);
	const chunks: Buffer[] = [];
	for await (const chunk of payload) chunks.push(Buffer.from(chunk as Uint8Array));
	return Buffer.concat(chunks);
}

/**
 * Keeps the answer to the first request with a key if it was carried out.
 * @returns the payload to send instead: a stream that was read cannot be sent again
 */
export async function keepAnswer(
	payload: Payload,
	exchange: Exchange,
	reply: FastifyReply,
): Promise<Payload> {
	const { settle, entry, wholeStream } = exchange;
	if (!settle) return payload;
	if (!entry.carriedOut) {
		settle();
		return payload;
	}
	const body = wholeStream?.() ?? (await bytesOf(payload));
	const names = ['content-type', 'cache-control'].filter((name) => reply.hasHeader(name));
	const headers = Object.fromEntries(names.map((name) => [name, String(reply.getHeader(name))]));
	const answer = { requestId: entry.id, status: reply.statusCode, headers, body };
	settle(body.length > maxKeptBytes ? undefined : answer);
	const wasRead = payload instanceof Readable && !wholeStream;
	return wasRead ? Readable.from([body], { objectMode: false }) : payload;
}
