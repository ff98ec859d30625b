import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Journal } from '../journal';
import type { Fault } from '../behaviour/rule';
import { needsKey } from './authentication';
import { failureOfStatus, imageFailure, invalidKey, rateLimited, sendFailure } from './errors';
import { type Exchange, pause, untilAborted } from './exchange';
import { readReceived, recordable } from './receive';

function checkLimits(exchange: Exchange, now: number): void {
	const { limiters } = exchange.treatment;
	for (const limiter of limiters) {
		const waitMs = limiter.waitMs(now);
		if (waitMs <= 0) continue;
		const { requests, perMs } = limiter.limit;
		throw rateLimited(
			`Rate limit exceeded: ${requests} requests in ${perMs / 1000} seconds. Retry with exponential backoff.`,
			limiter.retryHeader(waitMs, now),
		);
	}
	for (const limiter of limiters) limiter.admit(now);
}

/** @returns false if the client disconnected during the wait */
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

/** Responds instead of the route. @returns false if the fault does not replace the whole response */
async function answerWithFault(fault: Fault, exchange: Exchange, reply: FastifyReply): Promise<boolean> {
	switch (fault.kind) {
		case 'status': {
			if (fault.body === undefined) {
				void sendFailure(reply.headers(fault.headers), failureOfStatus(fault.status));
				return true;
			}
			const isText = typeof fault.body === 'string';
			void reply
				.code(fault.status)
				.headers(fault.headers)
				.type(fault.contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'))
				.send(isText ? fault.body : JSON.stringify(fault.body));
			return true;
		}
		case 'html':
			void reply
				.code(fault.status)
				.type('text/html; charset=utf-8')
				.send(
					`<!DOCTYPE html>\n<html><head><title>${fault.status} ${fault.title}</title></head>\n` +
						`<body><h1>${fault.status} ${fault.title}</h1><hr><address>proxy</address></body></html>\n`,
				);
			return true;
		case 'empty':
			void reply.code(fault.status).headers(fault.headers).send();
			return true;
		case 'redirect':
			void reply.code(fault.status).header('location', fault.location).send();
			return true;
		case 'imageFailure':
			void sendFailure(reply, imageFailure(fault.reason));
			return true;
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

function wantsStream({ entry, received: { value } }: Exchange): boolean {
	if (entry.path.endsWith(':streamGenerateContent')) return true;
	return typeof value === 'object' && value !== null && 'stream' in value && value.stream === true;
}

/**
 * Runs everything between the arrival of a request and its route: journal, key, limits, capacity, faults, latency.
 * @returns the reply if it is already sent, otherwise undefined
 * @throws RequestFailure for a request that is refused
 */
export async function admit(
	request: FastifyRequest,
	reply: FastifyReply,
	journal: Journal,
	now: () => number,
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
		bodyText: bytes?.toString('utf8') ?? '',
		wantsStream: wantsStream(exchange),
	});
	if (exchange.fault) journal.update(entry, { fault: exchange.fault.kind });
	const latencyMs = treatment.latencyMs();
	if (latencyMs > 0 && !(await pause(latencyMs, exchange.signal))) return reply.hijack();
	// Fastify continues with the route unless the hook returns the reply.
	return exchange.fault && (await answerWithFault(exchange.fault, exchange, reply)) ? reply : undefined;
}
