import type { EmulatedAnswer } from './emulation';
import { type Fault, hasErrorObject } from './fault';
import { digestOf } from './items';
import type { Clothes, Reporting } from './world';

/** An answer of the gateway, and the way in which its body ends. */
export type Answer = EmulatedAnswer & { ends: 'end' | 'lost' | 'stall' };

/** Returns the digests of the files in an answer, or of the answer if it is a file. */
export function digestsIn({ body, headers }: EmulatedAnswer): string[] {
	if (!headers['content-type']?.includes('json')) return [digestOf(body)];
	const images = body.toString('latin1').matchAll(/"b64_json":"([^"]+)"/g);
	return [...images].map(([, base64]) => digestOf(Buffer.from(base64, 'base64')));
}

const PAGE = '<!doctype html><html><head><title>Bad Gateway</title></head><body>Try later</body></html>';

/** Returns an error of the gateway itself. */
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
 * Returns the answer that a fault sends instead of the real one.
 *
 * @param key the key of the credential
 * @param locations the targets of redirects
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

/** The refusal of what exceeds a limit, as another service words it; any other answer as it is. @param now of the gateway */
export function inClothes(answer: Answer, clothes: Clothes | undefined, now: number): Answer {
	if (!clothes || answer.status !== 429) return answer;
	const { 'retry-after-ms': asked, 'retry-after': inSeconds, ...headers } = answer.headers;
	const waitMs = asked !== undefined ? Number(asked) : inSeconds && Number(inSeconds) * 1_000;
	if (waitMs !== undefined) headers['x-ratelimit-reset-requests'] = resetIn(Number(waitMs), clothes, now);
	const { status, code } = clothes;
	// Without an error object, only the status shows the meaning.
	if (!headers['content-type']?.includes('json')) return { ...answer, headers };
	const body = Buffer.from(JSON.stringify({ error: { message: 'Slow down.', type: code, code } }));
	return { ...answer, status, headers, body };
}

function resetIn(waitMs: number, { resets }: Clothes, now: number): string {
	if (resets === 'seconds') return String(Math.ceil((now + waitMs) / 1_000));
	if (resets === 'milliseconds') return String(Math.ceil(now + waitMs));
	return waitMs < 60_000
		? `${waitMs}ms`
		: `${Math.floor(waitMs / 60_000)}m${Math.ceil((waitMs % 60_000) / 1_000)}s`;
}

/** Changes the answer to the poll of a finished song so that the song has failed. */
export function withoutSong(answer: EmulatedAnswer): EmulatedAnswer {
	const { data, ...others } = JSON.parse(answer.body.toString('utf8')) as { data: { status: string } };
	if (data.status !== 'SUCCESS') return answer;
	const failed = { ...data, status: 'FAILED', data: [], fail_reason: 'The vendor has failed.' };
	return { ...answer, body: Buffer.from(JSON.stringify({ ...others, data: failed })) };
}

const COUNT = /"(\w*tokens?|\w*TokenCount|cost)":(\d+(?:\.\d+)?)/g;

/** Changes an answer so that it does not report its usage, or only a part of it, like some gateways. */
export function uncounted(answer: EmulatedAnswer, others: Reporting['others']): EmulatedAnswer {
	const text = answer.body.toString('latin1');
	if (!/"usage(?:Metadata)?":/.test(text)) return answer;
	const body = {
		nothing: text.replace(/"usage(Metadata)?":/g, '"other":').replace(COUNT, '"other_$1":$2'),
		zeros: text.replace(COUNT, '"$1":0'),
		tokens: text.replace(/"cost":[\d.]+,/g, ''),
	}[others];
	return { ...answer, body: Buffer.from(body, 'latin1') };
}
