import { createHash } from 'crypto';
import type { Clock } from './clock';
import type { GatewayCredential } from '../gateway/credential';
import { Pacer } from './pacer';

/** How long an address that could not be reached is passed over. */
const UNREACHABLE_FOR_MS = 30_000;
/** An address is passed over after this many vain connections in a row. */
const VAIN_CONNECTIONS = 2;
const MAX_STATES = 200;

/** Which of a gateway's addresses can be reached, shared by all requests of a credential. */
export class Route {
	private readonly vain = new Map<string, { count: number; at: number }>();

	constructor(private readonly clock: Clock) {}

	/** The first of the URLs whose address is not known to be unreachable, else the first. */
	pick(urls: string[]): string {
		if (this.vain.size === 0) return urls[0];
		return urls.find((url) => !this.isUnreachable(url)) ?? urls[0];
	}

	connected(url: string): void {
		if (this.vain.size === 0) return;
		this.vain.delete(new URL(url).origin);
	}

	notConnected(url: string): void {
		const { origin } = new URL(url);
		this.vain.set(origin, { count: (this.vain.get(origin)?.count ?? 0) + 1, at: this.clock.now() });
	}

	private isUnreachable(url: string): boolean {
		const vain = this.vain.get(new URL(url).origin);
		return (
			vain !== undefined && vain.count >= VAIN_CONNECTIONS && this.clock.now() - vain.at < UNREACHABLE_FOR_MS
		);
	}
}

/** What all requests of one credential in this process share. */
export interface GatewayState {
	pacer: Pacer;
	route: Route;
}

const states = new Map<string, GatewayState>();

/** The shared state of a credential. The key itself is not kept. */
export function gatewayStateOf(credential: GatewayCredential, clock: Clock): GatewayState {
	const { baseUrl, apiKey, requestsPerMinute = 0 } = credential;
	const identity = createHash('sha256')
		.update(JSON.stringify([baseUrl, apiKey, requestsPerMinute]))
		.digest('hex');
	const known = states.get(identity);
	if (known) return known;

	const state = { pacer: new Pacer(clock, requestsPerMinute), route: new Route(clock) };
	states.set(identity, state);
	if (states.size > MAX_STATES) states.delete(states.keys().next().value as string);
	return state;
}
