import { createHash } from 'crypto';
import type { Clock } from './clock';
import { Pacer } from './pacer';

/** How long an unreachable address is skipped, and after how many failed connection attempts in a row. */
const UNREACHABLE = { forMs: 30_000, afterFailures: 2 };
const MAX_STATES = 200;

/** Which of a gateway's addresses can be reached. */
export class AddressHealth {
	private readonly failed = new Map<string, { count: number; at: number }>();

	constructor(private readonly clock: Clock) {}

	/** The first of the URLs whose address is not known to be unreachable, otherwise the first one. */
	pick(urls: string[]): string {
		if (this.failed.size === 0) return urls[0];
		return urls.find((url) => !this.isUnreachable(url)) ?? urls[0];
	}

	connected(url: string): void {
		if (this.failed.size === 0) return;
		this.failed.delete(new URL(url).origin);
	}

	notConnected(url: string): void {
		const { origin } = new URL(url);
		this.failed.set(origin, { count: (this.failed.get(origin)?.count ?? 0) + 1, at: this.clock.now() });
	}

	private isUnreachable(url: string): boolean {
		const failed = this.failed.get(new URL(url).origin);
		if (failed === undefined || failed.count < UNREACHABLE.afterFailures) return false;
		return this.clock.now() - failed.at < UNREACHABLE.forMs;
	}
}

/** What all requests of one credential in this process share. */
export interface CredentialState {
	/** Tells credentials apart without naming the key. */
	id: string;
	pacer: Pacer;
	addresses: AddressHealth;
}

const states = new Map<string, CredentialState>();

/**
 * The shared state of a credential.
 *
 * @param identity tells credentials apart; only its hash is kept, because the key is part of it
 * @param requestsPerMinute 0 for no fixed limit
 */
export function credentialStateOf(
	identity: unknown[],
	requestsPerMinute: number,
	clock: Clock,
): CredentialState {
	const key = createHash('sha256')
		.update(JSON.stringify([...identity, requestsPerMinute]))
		.digest('hex');
	const known = states.get(key);
	if (known) return known;

	const state = { id: key, pacer: new Pacer(clock, requestsPerMinute), addresses: new AddressHealth(clock) };
	states.set(key, state);
	if (states.size > MAX_STATES) states.delete(states.keys().next().value as string);
	return state;
}
