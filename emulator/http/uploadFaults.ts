import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Journal } from '../journal';
import type { Exchange } from './exchange';

async function* beginning(
	body: AsyncIterable<Buffer>,
	afterBytes: number,
	exchange: Exchange,
	reply: FastifyReply,
): AsyncGenerator<Buffer> {
	let arrived = 0;
	for await (const chunk of body) {
		arrived += chunk.length;
		if (arrived < afterBytes) {
			yield chunk;
			continue;
		}
		reply.hijack();
		exchange.disconnect('reset');
		return;
	}
}

/**
 * Closes the connection while the request body arrives, if a rule says so.
 * @returns the body to read instead
 */
export function cutUpload(
	request: FastifyRequest,
	reply: FastifyReply,
	body: Readable,
	journal: Journal,
): Readable {
	const { exchange } = request;
	if (!exchange || request.method === 'GET') return body;
	const target = { url: request.url, bodyText: '', wantsStream: false, arriving: true };
	const fault = exchange.treatment.fault(target);
	if (fault?.kind !== 'cutUpload') return body;
	journal.update(exchange.entry, { fault: fault.kind });
	return Readable.from(beginning(body, fault.afterBytes, exchange, reply), { objectMode: false });
}
