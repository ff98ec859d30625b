import type { AnswerReader } from '../answer/answerReaders';
import type { Moment } from '../failure/rateLimitWords';
import type { Clock } from '../limiter/clock';
import type { Ledger } from './ledger';
import type { Sending } from './request';
import type { Watch } from './timeLimits';

/** Sends a request, and turns its answer into a value. @throws GatewayFailure; see {@link GatewayFailure.verdict} */
export type Send = <T>(sending: Sending, read: AnswerReader<T>) => Promise<T>;

/**
 * One promise of the package about requests. A layer knows the request, what it was made with, and the layers below it
 * as `next`, and nothing else.
 */
export type Layer = (next: Send) => Send;

/** Puts layers on top of each other, the first one outermost. @param last sends a request once */
export function compose(layers: Layer[], last: Send): Send {
	return layers.reduceRight((next, layer) => layer(next), last);
}

/** Begins what does not occupy the gateway, so that something else may start. @returns to be called at its end */
export type Aside = () => () => void;

export interface Run {
	clock: Clock;
	ledger: Ledger;
	aside: Aside;
	/** Stops everything immediately when it is aborted. */
	signal?: AbortSignal;
	moment: () => Moment;
	/** Ends attempts at their time limits. */
	watch: Watch;
	/** Writes a line about an attempt to n8n's log, at the level of debugging. */
	log: (line: string) => void;
}

/** Waits for a limit of the gateway, while something else may start. */
export async function sleepAside(
	{ aside, clock, ledger }: Run,
	waitMs: number,
	stop: AbortSignal | undefined,
): Promise<void> {
	const back = aside();
	await ledger.waitForLimit(async () => await clock.sleep(waitMs, stop), waitMs);
	back();
}
