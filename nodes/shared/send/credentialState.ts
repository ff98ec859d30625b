import { AddressHealth } from './reach';
import type { Clock } from '../limiter/clock';
import { Pacer } from '../limiter/pacer';
import { hashOf } from '../plain/values';

const MAX_STATES = 200;

/** Shared by all requests of one credential in this process. */
export interface CredentialState {
	pacer: Pacer;
	addresses: AddressHealth;
	learned: Learned;
}

/** The limits of what is remembered, in facts and in milliseconds: a gateway may change. */
const MOST_FACTS = 500;
const REMEMBERED_MS = 60 * 60_000;

/** Remembers what a gateway has said or shown about requests of a kind. */
export class Learned {
	private readonly facts = new Map<string, { fact: unknown; at: number }>();

	constructor(private readonly clock: Clock) {}

	/** @param about names the kind of request; the fact has the type with which it was noted */
	recall<T>(about: string): T | undefined {
		const known = this.facts.get(about);
		return known && this.clock.now() - known.at < REMEMBERED_MS ? (known.fact as T) : undefined;
	}

	note(about: string, fact: unknown): void {
		this.facts.delete(about);
		this.facts.set(about, { fact, at: this.clock.now() });
		if (this.facts.size > MOST_FACTS) this.facts.delete(this.facts.keys().next().value as string);
	}
}

const states = new Map<string, CredentialState>();

/** The shared state of a credential. @param identity of which only the hash is kept, because the key is part of it */
export function credentialStateOf(
	identity: unknown[],
	requestsPerMinute: number,
	clock: Clock,
): CredentialState {
	const key = hashOf(JSON.stringify([...identity, requestsPerMinute]));
	const known = states.get(key);
	if (known) return known;

	const state = {
		pacer: new Pacer(clock, requestsPerMinute),
		addresses: new AddressHealth(clock),
		learned: new Learned(clock),
	};
	states.set(key, state);
	if (states.size > MAX_STATES) states.delete(states.keys().next().value as string);
	return state;
}
