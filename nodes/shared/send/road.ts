import { randomUUID } from 'crypto';
import { mayRepeat } from '../errors/outcome';
import { Gate } from '../limiter/gate';
import { attempt } from './attempt';
import type { CredentialState } from './credentialState';
import { inTurn, lateFile } from './download';
import type { RunLanes } from './lanes';
import { isPaid } from './endpoints';
import { compose, type Run, type Send } from './layer';
import { pace } from './pace';
import { reach } from './reach';
import type { GatewayRequest } from './request';
import { retry } from './retry';
import { spend, type SpendingLimits } from './spend';
import { TimeLimits } from './timeLimits';
import { exchangeOf, type Transport } from './transport';

/** What the layers are made with. */
export interface RoadSettings extends Run {
	/** What the run may spend; undefined without Spending Limits. */
	limits?: SpendingLimits;
	transport: Transport;
	/** What all runs with the credential share. */
	state: CredentialState;
	lanes: RunLanes;
	/** By which the gateway recognizes a repeated request; empty if it does not. */
	idempotencyHeader: string;
}

/** The roads to the network, each a list of layers from the outside to the inside. */
export interface Roads {
	/** To the gateway, with the key. */
	request: Send;
	/** To any host, without the key, for the file of a result. */
	file: Send;
}

/** What happens to a request. `Payments` stands above: what an earlier try of the run has paid for is not sent again. */
export function roadsOf(settings: RoadSettings): Roads {
	const { transport, clock, state, lanes, ledger, limits, aside, signal } = settings;
	const { idempotencyHeader: header } = settings;
	const { context, addresses } = transport;
	const keyHeadersOf = ({ endpoint, idempotencyKey }: GatewayRequest) =>
		header !== '' && isPaid(endpoint) ? { [header]: idempotencyKey ?? randomUUID() } : undefined;
	const moment = () => ({ now: clock.date(), timeZone: context.getTimezone() });
	const run = { clock, ledger, aside, signal, moment };
	const reached = { addresses, health: state.addresses, signal };
	const attempted = { signal, limits: new TimeLimits(clock) };
	return {
		request: compose(
			[
				// Again, if it was not carried out, if it only reads, or if a repetition costs nothing or is wanted.
				retry({
					...run,
					keyHeadersOf,
					rule: (outcome, { endpoint, repeatsUnclear }) =>
						mayRepeat(outcome, endpoint.repeatability, repeatsUnclear || header !== ''),
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
			attempt({ ...attempted, exchange: exchangeOf({ ...transport, credential: undefined }) }),
		),
	};
}
