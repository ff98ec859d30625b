import { createHash } from 'crypto';
import type { GatewayAddresses } from '../gateway/addresses';
import type { GatewayRequest } from '../gateway/client';
import { urlsOf } from '../gateway/endpoints';
import type { RequestBody } from '../http/requestBody';

/** What a request asks for, without what may differ between two tries: keys, boundaries, and the limits of Options. */
export function identityOf(
	{ endpoint, query }: GatewayRequest,
	body: RequestBody | undefined,
	addresses: GatewayAddresses,
): string {
	return JSON.stringify([endpoint.method, urlsOf(endpoint, addresses)[0], query]) + (body?.identity() ?? '');
}

/** A short text that differs where identities differ. */
export function hashOf(identity: string): string {
	return createHash('sha256').update(identity).digest('base64url').slice(0, 22);
}
