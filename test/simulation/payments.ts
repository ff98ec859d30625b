import type { Exchange } from './exchange';
import { isHalf, isSettled, mayBeEnough } from './fault';
import type { History } from './simulate';

/** Finds requests that were sent again although this is not allowed. The fault of a request determines its outcome. */
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

/** Tells whether one request may be repeated by another one (docs/paid-once.md). */
function mayRepeat(earlier: Exchange, later: Exchange, { world, subject, gateway }: History): boolean {
	const { standing, idempotencyKey } = earlier;
	if (standing !== 'delivered' && subject.repeatability === 'read') return true;
	// A file without a link is generated again after n8n has deleted it.
	const isGone = world.deletesFiles && subject.keepsFiles && later.execution > world.retries;
	if (isGone && earlier.execution < later.execution) return true;
	const isSameExecution = earlier.execution === later.execution;
	const isSameTry = isSameExecution && earlier.tryNumber === later.tryNumber;
	// A shared request is a different one if one of its texts is different.
	const isEdited = later.execution >= (world.editedFrom ?? Infinity);
	if (isEdited && subject.isShared && standing !== 'delivered') return true;
	// An agent asks again in each of its runs.
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
		// A text that is sent together with other texts is a different request with a different key.
		return isSameExecution
			? world.options.retryUnclear === true
			: !world.hasIdempotencyKeys || subject.isShared || earlier.units.join() !== later.units.join();
	}
	return standing === 'unusable' && !isSameExecution;
}

/** Tells whether n8n has dropped what was known about a request. */
function isForgotten(earlier: Exchange, later: Exchange, { tries }: History): boolean {
	return tries.some(({ execution, interference }) => {
		if (execution >= later.execution) return false;
		// If a retry is killed, the execution that it retries is still there.
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
