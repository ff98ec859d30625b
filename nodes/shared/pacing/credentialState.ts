import { createHash } from 'crypto';
import { AddressHealth } from './addressHealth';
import type { Clock } from './clock';
import { Pacer } from './pacer';

const MAX_STATES = 200;

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
