import type { FastifyRequest } from 'fastify';
import type { ReceivedBody } from './exchange';

const largestRecordedBody = 1024 * 1024;

/** Reads the body that the catch-all parser left as bytes. */
export function readReceived(request: FastifyRequest): ReceivedBody {
	const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
	const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
	const received: ReceivedBody = { bytes: bytes.length, isJson };
	if (!isJson || bytes.length === 0) return received;
	try {
		received.value = JSON.parse(bytes.toString('utf8'));
	} catch (error) {
		received.fault = error instanceof Error ? error.message : String(error);
	}
	return received;
}

/** What the journal keeps of a body. */
export function recordable(received: ReceivedBody, bytes: Buffer | undefined): unknown {
	if (!bytes || received.bytes === 0) return undefined;
	if (received.bytes > largestRecordedBody || !received.isJson) return { bytes: received.bytes };
	return received.fault === undefined ? received.value : bytes.toString('utf8');
}
