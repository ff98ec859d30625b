import type { EmulatedAnswer } from './emulation';
import { type Fault, hasErrorObject } from './fault';
import { digestOf } from './items';

/** What the gateway sends. */
export type Answer = EmulatedAnswer & { ends: 'end' | 'lost' | 'stall' };

/** The files in an answer, whether it is one or contains them. */
export function digestsIn({ body, headers }: EmulatedAnswer): string[] {
	if (!headers['content-type']?.includes('json')) return [digestOf(body)];
	const images = body.toString('latin1').matchAll(/"b64_json":"([^"]+)"/g);
	return [...images].map(([, base64]) => digestOf(Buffer.from(base64, 'base64')));
}

const PAGE = '<!doctype html><html><head><title>Bad Gateway</title></head><body>Try later</body></html>';

/** An error of the gateway itself. */
export function errorAnswer(status: number, message: string, headers: Record<string, string> = {}): Answer {
	const error = {
		message,
		type: 'gateway_error',
		code: status === 429 ? 'rate_limit_exceeded' : 'gateway_error',
	};
	return {
		status,
		headers: { 'content-type': 'application/json', ...headers },
		body: Buffer.from(JSON.stringify({ error })),
		ends: 'end',
	};
}

/**
 * What a fault sends instead of the answer.
 *
 * @param key of the credential
 * @param locations where a redirect leads to
 */
export function faultyAnswer(
	fault: Fault,
	key: string,
	locations: { gateway: string; elsewhere: string },
): Answer {
	const page = { headers: { 'content-type': 'text/html' }, body: Buffer.from(PAGE), ends: 'end' as const };
	if (fault.kind === 'errorInside') return { ...errorAnswer(fault.status, fault.words), status: 200 };
	if (fault.kind === 'redirect') {
		const headers = { location: locations[fault.to] };
		return { status: fault.status, headers, body: Buffer.alloc(0), ends: 'end' };
	}
	if (fault.kind !== 'status') {
		const isPage = fault.kind === 'other' && fault.body === 'page';
		return { status: 200, ...page, ...(isPage ? {} : { body: Buffer.alloc(0) }) };
	}
	const { status, body, retryAfterMs } = fault;
	const headers: Record<string, string> =
		retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs) };
	const words =
		body === 'echo' ? `The service failed for Authorization: Bearer ${key}.` : 'The service failed.';
	if (hasErrorObject(fault)) return errorAnswer(status, words, headers);
	const answer = body === 'page' ? page : { ...page, body: Buffer.alloc(0) };
	return { ...answer, status, headers: { ...answer.headers, ...headers } };
}
