import { beyondAlternate, withoutAlternate } from '../errors/unreachableFailure';
import type { AddressHealth } from '../pacing/addressHealth';
import type { GatewayAddresses } from './addresses';
import type { FailedTry } from './attempt';
import { urlsOf } from './endpoints';
import { withQuery, type GatewayRequest } from './request';

type Result<T> = { value: T } | FailedTry;

/** How a request may reach the gateway. */
export interface Ways {
	/** The URLs of the request, the one at the base address first. */
	urls: string[];
	/** Whether the credential has another address, be it for other paths. */
	hasAlternate: boolean;
	health: AddressHealth;
	signal: AbortSignal | undefined;
}

/** @param signal once it is aborted, no further address is tried */
export function waysOf(
	{ endpoint, query }: GatewayRequest,
	addresses: GatewayAddresses,
	health: AddressHealth,
	signal: AbortSignal | undefined,
): Ways {
	const urls = urlsOf(endpoint, addresses).map((url) => withQuery(url, query));
	return { urls, hasAlternate: addresses.alternate !== undefined, health, signal };
}

/**
 * Sends a request to the first of its addresses that can be connected to. This is no retry: another address is tried
 * only if certainly nothing was sent.
 *
 * @param send sends it to one of its URLs
 */
export async function sendToFirstReachable<T>(
	{ urls, hasAlternate, health, signal }: Ways,
	send: (url: string) => Promise<Result<T>>,
): Promise<Result<T>> {
	const missed = new Map<string, FailedTry>();
	for (const url of health.inOrder(urls)) {
		const startedAt = health.clock.now();
		const result = await send(url);
		if (!('attempt' in result) || result.attempt.kind !== 'notConnected') {
			// An interrupted request may have had no connection either.
			if (!('attempt' in result) || result.attempt.kind === 'status') health.connected(url, startedAt);
			return result;
		}
		health.notConnected(url);
		missed.set(url, result);
		if (signal?.aborted) return result;
	}
	const [base, other] = urls.map((url) => missed.get(url)!);
	if (other) return { ...base, failure: withoutAlternate(base.failure, other.failure) };
	return hasAlternate ? { ...base, failure: beyondAlternate(base.failure) } : base;
}
