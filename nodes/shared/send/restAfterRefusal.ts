import type { Clock } from '../limiter/clock';
import type { Ledger } from './ledger';
import type { GatewayRequest } from './request';

/** How long a refused request keeps its slot, because other answers that are about to arrive may be refusals as well. */
const HOLD_SLOT_MS = 50;

/** The pause of a refused request. */
interface Rest extends Pick<GatewayRequest, 'rest'> {
	pauseMs: number;
	/** Whether only this request is refused, so that the others go on. */
	isAlone: boolean;
	signal: AbortSignal | undefined;
}

/** Waits after a refusal, so that something else can be sent meanwhile. */
export async function restAfterRefusal(
	{ clock, ledger }: { clock: Clock; ledger: Ledger },
	{ pauseMs, isAlone, rest = async (wait) => await wait(), signal }: Rest,
): Promise<void> {
	const heldMs = isAlone ? 0 : Math.min(pauseMs, HOLD_SLOT_MS);
	await ledger.waitForLimit(async () => {
		if (heldMs > 0) await clock.sleep(heldMs, signal);
		await rest(async () => await clock.sleep(pauseMs - heldMs, signal));
	}, pauseMs);
}
