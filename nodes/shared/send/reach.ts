import { type GatewayFailure, toFailure } from '../failure/failure';
import { beyondAlternate, withoutAlternate } from '../failure/unreachableWords';
import type { Clock } from '../limiter/clock';
import type { GatewayAddresses } from './addresses';
import type { GatewayRequest, Layer } from './layer';

/**
 * Sends a request to the first of its addresses that can be connected to. It tries another one only if certainly
 * nothing was sent, so this is no retry: what may have been carried out stays at its address, which alone can know it.
 */
export function reach(addresses: GatewayAddresses, health: AddressHealth): Layer {
	const sentTo = new WeakMap<GatewayRequest, string>();
	return (next) => async (sending, read) => {
		const { request, urls, stop } = sending;
		const only = sentTo.get(request);
		const missed = new Map<string, GatewayFailure>();
		for (const url of only === undefined ? health.inOrder(urls) : [only]) {
			const startedAt = health.clock.now();
			try {
				const value = await next({ ...sending, urls: [url] }, read);
				health.connected(url, startedAt);
				return value;
			} catch (error) {
				const failure = toFailure(error);
				// Only a status proves a connection: an interrupted request may have had none.
				if (failure.facts.status !== undefined) health.connected(url, startedAt);
				if (!failure.isFree) sentTo.set(request, url);
				if (failure.verdict.again !== 'elsewhere' || only !== undefined) throw failure;
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

/** The time, in milliseconds, for which an address that could not be connected to is tried last. */
const UNREACHABLE_MS = 30_000;

/** Knows which of a gateway's addresses can be reached. */
export class AddressHealth {
	/** The time of the last failure to connect to an address, by its origin. */
	private readonly failedAt = new Map<string, number>();

	constructor(readonly clock: Clock) {}

	/**
	 * Orders URLs as they should be tried: addresses that are known to be unreachable come last. After a while, a single
	 * request finds out whether such an address is back, because it may take long until a connection fails.
	 */
	inOrder(urls: string[]): string[] {
		if (urls.length === 1) return urls;
		const reachable = urls.filter((url) => !this.isUnreachable(url));
		return [...reachable, ...urls.filter((url) => !reachable.includes(url))];
	}

	/** @param startedAt when the request was sent: a connection before a failure says nothing about the time after it */
	connected(url: string, startedAt: number): void {
		const { origin } = new URL(url);
		if ((this.failedAt.get(origin) ?? Number.POSITIVE_INFINITY) <= startedAt) this.failedAt.delete(origin);
	}

	notConnected(url: string): void {
		this.failedAt.set(new URL(url).origin, this.clock.now());
	}

	private isUnreachable(url: string): boolean {
		const failedAt = this.failedAt.get(new URL(url).origin);
		if (failedAt === undefined) return false;
		if (this.clock.now() - failedAt < UNREACHABLE_MS) return true;
		// This request finds out whether the address is back.
		this.notConnected(url);
		return false;
	}
}
