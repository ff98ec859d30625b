import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../behaviour/rule';
import { needsKey } from './authentication';
import type { Journal } from '../journal';
import { invalidKey, rateLimited } from './errors';
import { answerInstead } from './dialects';
import { type Exchange, pause, type ReceivedBody, untilAborted } from './exchange';
import { answeredBefore, type IdempotencyKeys } from './idempotency';
import { readReceived, recordable } from './receive';
import { substituteFor } from './substitute';

function checkLimits(exchange: Exchange, now: number): void {
	const { limiters } = exchange.treatment;
	for (const limiter of limiters) {
		const waitMs = limiter.waitMs(now);
		if (waitMs <= 0) continue;
		const { requests, perMs } = limiter.limit;
		throw rateLimited(
			`Rate limit exceeded: ${requests} requests in ${perMs / 1000} seconds. Retry with exponential backoff.`,
			limiter.retryHeader(waitMs),
		);
	}
	for (const limiter of limiters) limiter.admit(now);
}

/** Waits for a slot of every capacity. @returns false if the client disconnected during the wait */
async function acquireSlots(exchange: Exchange, reply: FastifyReply): Promise<boolean> {
	for (const semaphore of exchange.treatment.semaphores) {
		let release;
		try {
			release = await semaphore.acquire(exchange.signal);
		} catch {
			return false;
		}
		if (!release) throw rateLimited('Too many requests at once. Retry with exponential backoff.');
		if (reply.raw.closed) release();
		else reply.raw.once('close', release);
	}
	return true;
}

/** Answers instead of the route. @returns false if the fault does not replace the whole response */
async function answerWithFault(fault: Fault, exchange: Exchange, reply: FastifyReply): Promise<boolean> {
	if ('carriedOut' in fault && fault.carriedOut) return false;
	const substitute = substituteFor(fault, reply.request.url);
	if (substitute) {
		void reply.code(substitute.status).headers(substitute.headers).send(substitute.body);
		return true;
	}
	switch (fault.kind) {
		case 'resetBeforeHeaders':
			reply.hijack();
			exchange.disconnect('reset');
			return true;
		case 'stall':
			if (fault.afterBytes !== undefined || fault.afterEvents !== undefined) return false;
			reply.hijack();
			await untilAborted(exchange.signal);
			return true;
		default:
			return false;
	}
}

/** Returns the text in which a fault looks for its `when`. For a form, it consists of the values of its fields. */
function searchedText({ form }: ReceivedBody, bytes: Buffer | undefined): string {
	return form ? form.fields.map(({ value }) => value).join('\n') : (bytes?.toString('utf8') ?? '');
}

function wantsStream({ entry, received: { value } }: Exchange): boolean {
	if (entry.path.endsWith(':streamGenerateContent')) return true;
	return typeof value === 'object' && value !== null && 'stream' in value && value.stream === true;
}

/**
 * Runs everything between the arrival of a request and its route: journal, key, limits, capacity, faults, latency, repeated idempotency key.
 * @returns the reply if it is already sent, otherwise undefined
 * @throws RequestFailure for a request that is refused
 */
export async function admit(
	request: FastifyRequest,
	reply: FastifyReply,
	{ journal, keys, now }: { journal: Journal; keys: IdempotencyKeys; now: () => number },
): Promise<FastifyReply | undefined> {
	const { exchange } = request;
	if (!exchange) return undefined;
	const { entry, treatment } = exchange;
	const bytes = Buffer.isBuffer(request.body) ? request.body : undefined;
	exchange.received = readReceived(request);
	journal.update(entry, { body: recordable(exchange.received, bytes) });

	if (needsKey(entry.path) && entry.key !== 'valid') throw invalidKey(entry.key);
	checkLimits(exchange, now());
	if (!(await acquireSlots(exchange, reply))) return reply.hijack();

	exchange.fault = treatment.fault({
		url: request.url,
		bodyText: searchedText(exchange.received, bytes),
		wantsStream: wantsStream(exchange),
	});
	if (exchange.fault) journal.update(entry, { fault: exchange.fault.kind });
	const latencyMs = treatment.latencyMs();
	if (latencyMs > 0 && !(await pause(latencyMs, exchange.signal))) return reply.hijack();
	// Fastify continues with the route unless the hook returns the reply.
	if (exchange.fault && (await answerWithFault(exchange.fault, exchange, reply))) return reply;
	exchange.dialects = treatment.dialects({ wantsStream: wantsStream(exchange) });
	if (answerInstead(exchange, reply)) return reply;
	return (await answeredBefore(request, reply, exchange, { keys, journal })) ? reply : undefined;
}
