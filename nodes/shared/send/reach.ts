import { type GatewayFailure, toFailure } from '../errors/gatewayFailure';
import { beyondAlternate, withoutAlternate } from '../errors/unreachableFailure';
import type { AddressHealth } from './addressHealth';
import type { GatewayAddresses } from './addresses';
import { urlsOf } from './endpoints';
import type { Layer } from './layer';
import { type GatewayRequest, stopOf, withQuery } from './request';

/** What {@link reach} needs of the run. */
export interface ReachSettings {
	addresses: GatewayAddresses;
	health: AddressHealth;
	/** Once it is aborted, no further address is tried. */
	signal: AbortSignal | undefined;
}

/**
 * Sends a request to the first of its addresses that can be connected to. This is no retry: another address is tried
 * only if certainly nothing was sent.
 */
export function reach({ addresses, health, signal }: ReachSettings): Layer {
	return (next) => async (request, read) => {
		const urls = request.urls ?? urlsOfRequest(request, addresses);
		const stop = stopOf(request, signal);
		const missed = new Map<string, GatewayFailure>();
		for (const url of health.inOrder(urls)) {
			const startedAt = health.clock.now();
			try {
				const value = await next({ ...request, url }, read);
				health.connected(url, startedAt);
				return value;
			} catch (error) {
				const failure = toFailure(error);
				const { kind, status } = failure.outcome ?? {};
				// An interrupted request may have had no connection either.
				if (status !== undefined) health.connected(url, startedAt);
				if (kind !== 'notConnected') throw failure;
				if (urls.length > 1) health.notConnected(url);
				missed.set(url, failure);
				if (stop?.aborted) throw failure;
			}
		}
		const [base, other] = urls.map((url) => missed.get(url)!);
		if (other) throw withoutAlternate(base, other);
		throw addresses.alternate === undefined ? base : beyondAlternate(base);
	};
}

function urlsOfRequest({ endpoint, query }: GatewayRequest, addresses: GatewayAddresses): string[] {
	return urlsOf(endpoint, addresses).map((url) => withQuery(url, query));
}
