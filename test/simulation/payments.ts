import type { Exchange } from './exchange';
import type { History } from './simulate';

/** Which requests were sent again although they must not be. What became of a request is known from its fault. */
export function brokenByPayments(history: History): string[] {
	const sent = new Map<string, Exchange[]>();
	const broken: string[] = [];
	for (const exchange of history.gateway.exchanges) {
		for (const unit of exchange.units) {
			const earlier = sent.get(unit);
			const cause = earlier?.find((one) => !mayRepeat(one, exchange, history));
			if (cause) {
				broken.push(
					`request ${exchange.number + 1} for items ${exchange.rows.join()} (execution ${exchange.execution + 1}, try ${exchange.tryNumber + 1}) repeats request ${cause.number + 1} (execution ${cause.execution + 1}, try ${cause.tryNumber + 1}), which is ${cause.standing}`,
				);
			}
			if (earlier) earlier.push(exchange);
			else sent.set(unit, [exchange]);
		}
	}
	return broken;
}

/** Whether one request may be sent again as another one (docs/paid-once.md). */
function mayRepeat(earlier: Exchange, later: Exchange, history: History): boolean {
	const { world, subject } = history;
	const { standing, idempotencyKey } = earlier;
	if (standing === 'free' || isForgotten(earlier, later, history)) return true;
	if (standing !== 'delivered' && subject.repeatability === 'read') return true;
	const isSameExecution = earlier.execution === later.execution;
	if (standing === 'unclear') {
		const isSameKey = idempotencyKey !== undefined && idempotencyKey === later.idempotencyKey;
		return isSameKey || (isSameExecution ? world.options.repeatWhenUnclear === true : !world.hasIdempotencyKeys);
	}
	if (standing === 'unusable') return !isSameExecution;
	const isSameTry = isSameExecution && earlier.tryNumber === later.tryNumber;
	return world.options.reuseResults === false && !isSameTry;
}

/** Whether n8n has dropped what was known of a request. */
function isForgotten(earlier: Exchange, later: Exchange, { tries }: History): boolean {
	return tries.some(({ execution, interference }) => {
		if (execution >= later.execution) return false;
		// A retry that is killed leaves the execution that it retries.
		return interference === 'kill' ? execution === earlier.execution : interference === 'stop' && execution >= earlier.execution;
	});
}
