import { mayRepeat } from '../errors/outcome';
import { Gate } from '../limiter/gate';
import type { Clock } from '../limiter/clock';
import { attempt } from './attempt';
import type { CredentialState } from './credentialState';
import { inTurn, lateFile } from './download';
import type { RunLanes } from './lanes';
import { type Aside, compose, type Send } from './layer';
import type { Ledger } from './ledger';
import { pace } from './pace';
import { reach } from './reach';
import type { GatewayRequest } from './request';
import { retry } from './retry';
import { spend, type SpendingLimits } from './spend';
import { TimeLimits } from './timeLimits';
import { exchangeOf, type Transport } from './transport';

/** What the layers are made with. */
export interface RoadSettings {
	transport: Transport;
	clock: Clock;
	/** What all runs with the credential share. */
	state: CredentialState;
	lanes: RunLanes;
	ledger: Ledger;
	/** Undefined without Spending Limits. */
	limits: SpendingLimits | undefined;
	aside: Aside;
	/** Stops everything immediately when it is aborted. */
	signal: AbortSignal | undefined;
	/** Header with the key by which the gateway recognizes a repeated request; undefined if it recognizes none. */
	keyHeadersOf: (request: GatewayRequest) => Record<string, string> | undefined;
	/** Whether the gateway recognizes a repeated request. */
	recognizesRepetitions: boolean;
}

/** The ways to the network, each a list of layers from the outside to the inside. */
export interface Roads {
	/** To the gateway, with the key. */
	request: Send;
	/** To any host, without the key, for the file of a result. */
	file: Send;
}

/** What happens to a request. `Payments` stands above: what an earlier try of the run has paid for is not sent again. */
export function roadsOf(settings: RoadSettings): Roads {
	const { transport, clock, state, lanes, ledger, limits, aside, signal } = settings;
	const { keyHeadersOf, recognizesRepetitions } = settings;
	const { context, addresses } = transport;
	const moment = () => ({ now: clock.date(), timeZone: context.getTimezone() });
	const run = { clock, ledger, aside, signal, moment };
	const reached = { addresses, health: state.addresses, signal };
	const attempted = { signal, clock, limits: new TimeLimits(clock) };
	const withoutKey = { ...transport, credential: undefined, allowedDomains: undefined };
	return {
		request: compose(
			[
				// Again, if it was not carried out, or if it only reads.
				retry({
					...run,
					keyHeadersOf,
					rule: (outcome, { endpoint, repeatsUnclear }) =>
						mayRepeat(outcome, endpoint.repeatability, repeatsUnclear || recognizesRepetitions),
				}),
				// Never beyond the Spending Limits of the run.
				...(limits ? [spend(limits)] : []),
				// When the gateway can take it.
				pace({ ...run, pacer: state.pacer, lanes }),
				// To the first address that can be connected to.
				reach(reached),
			],
			// Once, within the time limits.
			attempt({ ...attempted, exchange: exchangeOf(transport), addresses }),
		),
		file: compose(
			[
				inTurn(new Gate(() => lanes.width), aside),
				retry({ ...run, rule: (outcome) => mayRepeat(outcome, 'read') }),
				lateFile,
				reach(reached),
			],
			attempt({ ...attempted, exchange: exchangeOf(withoutKey) }),
		),
	};
}
