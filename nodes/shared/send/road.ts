import { Gate } from '../plain/turns';
import { attempt } from './attempt';
import { inTurn } from './download';
import { compose, type Run, type Send } from './layer';
import { pace, type RunLanes } from './pace';
import { type AddressHealth, reach } from './reach';
import { retry } from './retry';
import { spend } from './spend';
import { exchangeOf, type Transport } from './transport';

interface RoadSettings {
	transport: Transport;
	health: AddressHealth;
	lanes: RunLanes;
	/** The header by which the gateway recognizes a repeated request; empty for none. */
	idempotencyHeader: string;
}

/** Composes what happens to a request, below `Payments`, which does not send what an earlier try has paid for. */
export function gatewayRoad(run: Run, { transport, health, lanes, idempotencyHeader }: RoadSettings): Send {
	const { addresses } = transport;
	const { limits } = run.ledger;
	return compose(
		[
			// Again, if the verdict allows it: what was not sent, what only reads, and what costs nothing or is wanted.
			retry(run, idempotencyHeader),
			// Never beyond the Spending Limits of the node.
			...(limits ? [spend(limits)] : []),
			// Only when the gateway can take it.
			pace(run, lanes),
			// To the first address that can be connected to.
			reach(addresses, health),
		],
		// Once, within the time limits.
		attempt(run, exchangeOf(transport), addresses),
	);
}

/** Composes what happens to the download of a file, which may be on any host and is requested without the key. */
export function fileRoad(run: Run, { transport, health, lanes }: RoadSettings): Send {
	return compose(
		[
			// Downloads do not count as requests to the gateway.
			inTurn(new Gate(() => lanes.downloads), run.aside),
			retry(run),
			reach(transport.addresses, health),
		],
		// Without the gateway's addresses: any other host is expected.
		attempt(run, exchangeOf({ ...transport, credential: undefined })),
	);
}
