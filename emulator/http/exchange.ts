import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import type { Fault } from '../behaviour/rule';
import type { Dialect } from '../dialects/dialect';
import type { Treatment } from '../behaviour/behaviour';
import type { JournalEntry } from '../journal';
import type { MultipartForm } from './multipart';

/** The request body as it arrived. */
export interface ReceivedBody {
	bytes: number;
	isJson: boolean;
	/** The parsed JSON; undefined if the body is not valid JSON. */
	value?: unknown;
	/** The reason why the JSON could not be parsed. */
	fault?: string;
	/** The form of a `multipart/form-data` body. */
	form?: MultipartForm;
}

/** The answer to the first request with an idempotency key, which repeated requests receive. */
export interface KeptAnswer {
	/** The journal ID of the first request. */
	requestId: number;
	status: number;
	headers: Record<string, string>;
	body: Buffer;
}

/** Ends the first request with a key: with the answer to keep, or without one, so that the key is free again. Counts once. */
export type Settle = (answer?: KeptAnswer) => void;

/** The emulator's state of one request, in addition to Fastify's. */
export interface Exchange {
	entry: JournalEntry;
	treatment: Treatment;
	received: ReceivedBody;
	/** The fault that affects this request. */
	fault?: Fault;
	/** The dialects in which the request is answered. */
	dialects: Dialect[];
	/** Set for the first request with an idempotency key. */
	settle?: Settle;
	/** Returns an event stream in full, even if a fault interrupts it. */
	wholeStream?: () => Buffer;
	/** Aborts when the connection ends and when the emulator closes. */
	signal: AbortSignal;
	/** Closes the connection from the server's side; the journal does not count it as closed by the client. */
	disconnect: (how: 'close' | 'reset') => void;
}

declare module 'fastify' {
	interface FastifyRequest {
		/** Null for the emulator's own control routes. */
		exchange: Exchange | null;
	}
}

/**
 * Returns the exchange of a request to the gateway.
 * @throws Error for the emulator's own control routes, which have no exchange
 */
export function exchangeOf(request: FastifyRequest): Exchange {
	if (!request.exchange) throw new Error(`${request.url} is not a path of the gateway.`);
	return request.exchange;
}

/** Waits `ms`. @returns false if the signal aborted first */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
	try {
		await sleep(ms, undefined, { signal });
		return true;
	} catch {
		return false;
	}
}

/** Waits until the signal aborts. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
