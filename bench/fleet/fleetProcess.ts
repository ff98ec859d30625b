import { setMaxListeners } from 'node:events';
import { Pacer } from '../../nodes/shared/pacing/pacer';
import { RETRY_DEADLINE_MS } from '../../nodes/shared/pacing/retry';
import { newRequest, type PacedRequest } from '../../nodes/shared/pacing/sendSlot';
import type { DrivenClock } from './drivenClock';
import type { Verdict } from './limits';

/** How long a refused request keeps its place, as in `restAfterRefusal`. */
const HOLD_PLACE_MS = 50;

/** What processes share: time, and the gateway. */
export interface World {
	clock: DrivenClock;
	/** Sends a request; the answer is handed to `answered`. */
	send(process: number, answered: (verdict: Verdict) => void): void;
	/** A request was given up. */
	lost(process: number): void;
}

/** How a process is set up. */
export interface ProcessSettings {
	index: number;
	/** Requests in progress. */
	width: number;
	random: () => number;
}

/** A process of n8n with a backlog that never ends while it has work, and a pacer of its own. */
export class FleetProcess {
	private readonly stopping = new AbortController();
	private readonly pacer: Pacer;
	private readonly rested: Array<() => void> = [];
	private inUse = 0;
	private hasWork = false;

	constructor(
		private readonly world: World,
		private readonly settings: ProcessSettings,
	) {
		// All waiting requests listen to it.
		setMaxListeners(0, this.stopping.signal);
		this.pacer = new Pacer(world.clock.view(settings.random), 0);
	}

	/** Gives it work, or takes away what it has not sent yet. */
	work(hasWork: boolean): void {
		this.hasWork = hasWork;
		this.fill();
	}

	/** Ends it. What it has sent is still counted by the gateway. */
	stop(): void {
		this.hasWork = false;
		this.stopping.abort();
	}

	private get isStopped(): boolean {
		return this.stopping.signal.aborted;
	}

	private fill(): void {
		while (this.inUse < this.settings.width && !this.isStopped) {
			const next = this.rested.shift();
			if (!next && !this.hasWork) return;
			this.inUse += 1;
			if (next) next();
			else void this.item();
		}
	}

	private leave(): void {
		this.inUse -= 1;
		this.fill();
	}

	/** One request through all its attempts, as `GatewayClient` sends it. */
	private async item(): Promise<void> {
		const request = newRequest();
		const clock = this.world.clock.view(this.settings.random);
		let deadline: number | undefined;
		for (;;) {
			const outcome = await this.attempt(request);
			if (outcome === 'stopped') return;
			if (outcome === 'accepted') break;
			deadline ??= clock.now() + RETRY_DEADLINE_MS;
			const lane = this.pacer.lane('one');
			const isTooLong = clock.now() + outcome.pauseMs > deadline;
			if (isTooLong || !lane.mayRetry(request, undefined)) {
				lane.gaveUp(request);
				this.world.lost(this.settings.index);
				break;
			}
			const heldMs = request.isRefusedAlone ? 0 : Math.min(outcome.pauseMs, HOLD_PLACE_MS);
			await clock.sleep(heldMs);
			this.leave();
			await clock.sleep(outcome.pauseMs - heldMs);
			if (this.isStopped) return;
			await new Promise<void>((resolve) => {
				this.rested.push(resolve);
				this.fill();
			});
		}
		this.leave();
	}

	private async attempt(request: PacedRequest): Promise<'stopped' | 'accepted' | { pauseMs: number }> {
		const { index } = this.settings;
		const lane = this.pacer.lane('one');
		const slot = await this.pacer.acquire(lane, request, this.stopping.signal);
		if (this.isStopped) return 'stopped';
		if (!slot) {
			this.world.lost(index);
			// An exhausted lane fails what comes at once; a fleet is not asked for more meanwhile.
			await this.world.clock.view(this.settings.random).sleep(1_000);
			return 'accepted';
		}
		const verdict = await new Promise<Verdict>((resolve) => this.world.send(index, resolve));
		if (this.isStopped) return 'stopped';
		if (verdict !== 'accepted') return { pauseMs: lane.refused(slot, verdict.retryAfterMs) };
		lane.accepted(slot);
		return 'accepted';
	}
}

/** An old version that ignores what others learn: it tries again a second after each refusal. */
export class GreedyProcess {
	constructor(
		private readonly world: World,
		private readonly settings: ProcessSettings,
	) {}

	/** Begins, and never ends. */
	work(): void {
		for (let place = 0; place < this.settings.width; place++) this.next();
	}

	private next(): void {
		this.world.send(this.settings.index, (verdict) =>
			this.world.clock.after(verdict === 'accepted' ? 0 : 1_000, () => this.next()),
		);
	}
}
