import type { Clock } from '../limiter/clock';

/** How long an address that could not be connected to is tried last. */
const UNREACHABLE_MS = 30_000;

/** Which of a gateway's addresses can be reached. */
export class AddressHealth {
	/** When an address could last not be connected to, by its origin. */
	private readonly failedAt = new Map<string, number>();

	constructor(readonly clock: Clock) {}

	/**
	 * The URLs in the order in which they should be tried: the addresses that are known to be unreachable come last. After
	 * a while, one request finds out whether such an address is back, and the others still try the other address first,
	 * because it may take long until a connection fails.
	 */
	inOrder(urls: string[]): string[] {
		if (this.failedAt.size === 0 || urls.length === 1) return urls;
		const reachable = urls.filter((url) => !this.isUnreachable(url));
		return [...reachable, ...urls.filter((url) => !reachable.includes(url))];
	}

	/** @param startedAt when the request was sent: what was connected before a failure says nothing about the time after it */
	connected(url: string, startedAt: number): void {
		if (this.failedAt.size === 0) return;
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
		// This request finds out.
		this.notConnected(url);
		return false;
	}
}
