import type { Exchange } from './exchange';
import { isHalf, isSettled, mayBeEnough } from './fault';
import type { History } from './simulate';

/** Which requests were sent again although they must not be. What became of a request is known from its fault. */
export function brokenByPayments(history: History): string[] {
	const sent = new Map<string, Exchange[]>();
	const broken: string[] = [];
	for (const exchange of history.gateway.exchanges) {
		for (const unit of exchange.units) {
			const earlier = sent.get(unit) ?? [];
			const settled = earlier.findLastIndex(({ fault }) => isSettled(fault)) + 1;
			const open = history.world.hasIdempotencyKeys ? earlier.slice(settled) : earlier;
			const charged = open.filter((one) => one.standing !== 'free' && !isForgotten(one, exchange, history));
			// Of those without an answer, the last one counts: it may have been sent with the key of those before.
			const cause = [
				...charged.filter(({ standing }) => standing === 'delivered'),
				...charged.slice(-1),
			].find((one) => !mayRepeat(one, exchange, history));
			sent.set(unit, [...earlier, exchange]);
			if (cause) {
				broken.push(
					`request ${exchange.number + 1} for items ${exchange.rows.join()} (execution ${exchange.execution + 1}, try ${exchange.tryNumber + 1}) repeats request ${cause.number + 1} (execution ${cause.execution + 1}, try ${cause.tryNumber + 1}), which is ${cause.standing}`,
				);
			}
		}
	}
	return broken;
}

/** Whether one request may be sent again as another one (docs/paid-once.md). */
function mayRepeat(earlier: Exchange, later: Exchange, { world, subject, gateway }: History): boolean {
	const { standing, idempotencyKey } = earlier;
	if (standing !== 'delivered' && subject.repeatability === 'read') return true;
	// A file without a link is generated again once n8n has deleted it.
	const isGone = world.deletesFiles && subject.keepsFiles && later.execution > world.retries;
	if (isGone && earlier.execution < later.execution) return true;
	const isSameExecution = earlier.execution === later.execution;
	const isSameTry = isSameExecution && earlier.tryNumber === later.tryNumber;
	// A request that is shared is another one when one of its texts is.
	const isEdited = later.execution >= (world.editedFrom ?? Infinity);
	if (isEdited && subject.isShared && standing !== 'delivered') return true;
	// An agent asks anew in each of its runs.
	if (subject.isAgent && !isSameTry) return true;
	// The user wants everything anew. A song that was asked for is known, although the answer with its ID was cut off.
	const isUnclear =
		standing === 'unclear' && !wasPolled(earlier, gateway.exchanges) && !mayBeEnough(earlier.fault);
	if (world.options.payAgain && !(isUnclear ? isSameExecution : isSameTry)) return true;
	const isSameKey = idempotencyKey !== undefined && idempotencyKey === later.idempotencyKey;
	if (isSameKey && standing !== 'delivered') return true;
	// Whether an answer is cut off, or its file cannot be saved, is the same to whoever has allowed to repeat it.
	const { fault } = earlier;
	const isLost = fault && (isHalf(fault) || fault.kind === 'diskFull');
	if (standing === 'unclear' || (isLost && isSameExecution)) {
		// Together with other texts, a text is another request, which has another key.
		return isSameExecution
			? world.options.retryUnclear === true
			: !world.hasIdempotencyKeys || subject.isShared || earlier.units.join() !== later.units.join();
	}
	return standing === 'unusable' && !isSameExecution;
}

/** Whether n8n has dropped what was known of a request. */
function isForgotten(earlier: Exchange, later: Exchange, { tries }: History): boolean {
	return tries.some(({ execution, interference }) => {
		if (execution >= later.execution) return false;
		// A retry that is killed leaves the execution that it retries.
		return interference === 'kill'
			? execution === earlier.execution
			: interference === 'stop' && execution >= earlier.execution;
	});
}

function wasPolled({ execution, tryNumber, number, rows }: Exchange, exchanges: Exchange[]): boolean {
	return exchanges.some(
		(one) =>
			one.stage === 'poll' &&
			one.execution === execution &&
			one.tryNumber === tryNumber &&
			one.number > number &&
			one.rows[0] === rows[0],
	);
}
