import { toFailure } from '../failure/failure';
import { isPaid } from './endpoints';
import type { Layer } from './layer';
import type { SpendingLimits } from './ledger';
import { eitherOf } from './timeLimits';

/** Keeps the paid requests of a node within its Spending Limits. */
export function spend(limits: SpendingLimits): Layer {
	return (next) => async (sending, read) => {
		const { request, idempotencyHeader, earlier } = sending;
		// The gateway charges only once for the same idempotency key.
		const isPaidAlready = idempotencyHeader !== undefined && earlier?.isFree === false;
		if (!isPaid(request.endpoint) || isPaidAlready) return await next(sending, read);
		const settle = await limits.reserve();
		// Requests that still wait for their turn when a limit is reached must not be sent either.
		const stop = eitherOf(sending.stop, limits.reached);
		try {
			const value = await next({ ...sending, stop }, read);
			settle(true);
			return value;
		} catch (error) {
			const failure = toFailure(error);
			settle(!failure.isFree);
			if (failure.wasHeldBack) limits.check();
			throw failure;
		}
	};
}
