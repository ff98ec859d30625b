import type { Clock } from './clock';
import { Lane } from './lane';
import type { PacedRequest, SendSlot } from './slot';
import { spacedFrom } from './timing';

/** How many lanes a credential remembers. */
const MAX_LANES = 100;

/** A request that waits in its lane. */
interface Waiter {
	lane: Lane;
	request: PacedRequest;
	grant: (slot: SendSlot | undefined) => void;
}

/**
 * Decides when the requests of one credential may be sent: first come, first served, spaced by the credential's
 * Requests per Minute. What the gateway refuses is judged for each {@link Lane} separately.
 */
export class Pacer {
	/** The one that was used last is the last one. */
	private readonly lanes = new Map<string, Lane>();
	private waiting: Waiter[] = [];
	private readonly intervalMs: number;
	private spacedFrom = Number.NEGATIVE_INFINITY;
	private alarm = new AbortController();

	/** @param requestsPerMinute 0 for no fixed limit */
	constructor(
		private readonly clock: Clock,
		requestsPerMinute: number,
	) {
		this.intervalMs = requestsPerMinute > 0 ? 60_000 / requestsPerMinute : 0;
	}

	/** @param key endpoint and model @param widest how many requests at once the width of a new lane never exceeds */
	lane(key: string, widest?: number): Lane {
		const lane = this.lanes.get(key) ?? new Lane(this.clock, () => this.pump(), widest);
		this.lanes.delete(key);
		if (this.lanes.size >= MAX_LANES) this.lanes.delete(this.lanes.keys().next().value as string);
		this.lanes.set(key, lane);
		return lane;
	}

	/** Whether requests of a lane wait for a limit of the gateway, rather than for each other. */
	isLimited(lane: Lane): boolean {
		return this.intervalMs > 0 || lane.isLimited(this.clock.now());
	}

	/**
	 * Waits for permission to send a request once.
	 *
	 * @returns the slot, or undefined when `signal` was aborted while waiting, or the limit of the lane is exhausted
	 */
	async acquire(lane: Lane, request: PacedRequest, signal?: AbortSignal): Promise<SendSlot | undefined> {
		if (signal?.aborted) return undefined;
		return await new Promise((resolve) => {
			const withdraw = () => {
				waiter.grant(undefined);
				this.pump();
			};
			const waiter: Waiter = {
				lane,
				request,
				grant: (slot) => {
					signal?.removeEventListener('abort', withdraw);
					this.waiting = this.waiting.filter((other) => other !== waiter);
					resolve(slot);
				},
			};
			signal?.addEventListener('abort', withdraw, { once: true });
			this.waiting.push(waiter);
			this.pump();
		});
	}

	/** Sends what may be sent now, and comes back when the next request may be sent. */
	private pump(): void {
		this.alarm.abort();
		const now = this.clock.now();
		let nextMs = Number.POSITIVE_INFINITY;
		const [first, others] = [true, false].map((isFirst) =>
			this.waiting.filter(({ lane, request }) => lane.trouble.goesFirst(request) === isFirst),
		);
		for (const { lane, request, grant } of [...first, ...others]) {
			const waitMs = Math.max(this.spacedFrom + this.intervalMs - now, lane.waitMs(request, now));
			// No timer is more precise; the next request makes up for it.
			if (waitMs >= 1) {
				nextMs = Math.min(nextMs, waitMs);
				continue;
			}
			const slot = lane.send(request, now);
			if (slot) this.spacedFrom = spacedFrom(this.spacedFrom, this.intervalMs, now);
			grant(slot);
		}
		if (nextMs < Number.POSITIVE_INFINITY) void this.pumpAfter(nextMs);
	}

	private async pumpAfter(waitMs: number): Promise<void> {
		const { signal } = (this.alarm = new AbortController());
		await this.clock.sleep(waitMs, signal);
		if (!signal.aborted) this.pump();
	}
}
