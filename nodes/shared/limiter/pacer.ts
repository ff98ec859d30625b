import type { Clock } from './clock';
import { Lane } from './lane';
import type { PacedRequest, SendSlot } from './sendSlot';
import { Spacing } from './spacing';

/** How many lanes a credential remembers. */
const MAX_LANES = 100;

interface Waiter {
	request: PacedRequest;
	/** Whoever asks first goes first. */
	place: number;
	grant(slot: SendSlot | undefined): void;
}

/**
 * Decides when the requests of one credential may be sent: first come, first served, spaced by the credential's
 * Requests per Minute. What the gateway refuses is judged for each {@link Lane} separately.
 */
export class Pacer {
	private readonly lanes = new Map<string, Lane>();
	/** The lanes in which requests wait. */
	private readonly waiting = new Map<Lane, Waiter[]>();
	private readonly fixedIntervalMs: number;
	private readonly spacing = new Spacing();
	private places = 0;
	private pumping = false;
	private alarm = new AbortController();

	/** @param requestsPerMinute 0 for no fixed limit */
	constructor(
		private readonly clock: Clock,
		requestsPerMinute: number,
	) {
		this.fixedIntervalMs = requestsPerMinute > 0 ? 60_000 / requestsPerMinute : 0;
	}

	/** @param key endpoint and model @param widest how many requests at once the width of a new lane never exceeds */
	lane(key: string, widest?: number): Lane {
		const known = this.lanes.get(key);
		if (known) return known;
		if (this.lanes.size >= MAX_LANES) this.forgetOldest();
		const lane: Lane = new Lane(
			this.clock,
			() => {
				// A request in another lane may wait for the same run.
				if (this.waiting.size > 0) this.alarm.abort();
			},
			widest,
		);
		this.lanes.set(key, lane);
		return lane;
	}

	/** Whether requests of a lane wait for a limit of the gateway, rather than for each other. */
	isLimited(lane: Lane): boolean {
		return this.fixedIntervalMs > 0 || lane.isLimited(this.clock.now());
	}

	/**
	 * Waits for permission to send a request once.
	 *
	 * @returns the slot, or undefined when `signal` was aborted while waiting, or the limit of the lane is exhausted
	 */
	async acquire(lane: Lane, request: PacedRequest, signal?: AbortSignal): Promise<SendSlot | undefined> {
		if (signal?.aborted) return undefined;
		const now = this.clock.now();
		// Usually no other request is waiting, so this one is sent immediately.
		if (!this.waiting.has(lane) && this.waitMs(lane, now, [request]) <= 0)
			return this.send(lane, request, now);
		return await new Promise((resolve) => {
			const withdraw = () => {
				this.withdraw(lane, waiter);
				resolve(undefined);
			};
			const waiter: Waiter = {
				request,
				place: ++this.places,
				grant: (slot) => {
					signal?.removeEventListener('abort', withdraw);
					resolve(slot);
				},
			};
			signal?.addEventListener('abort', withdraw, { once: true });
			this.enqueue(lane, waiter);
		});
	}

	private enqueue(lane: Lane, waiter: Waiter): void {
		const wasIdle = this.requestsIn(lane).every((request) => lane.isFull(request));
		const queue = this.waiting.get(lane);
		if (queue) queue.push(waiter);
		else this.waiting.set(lane, [waiter]);
		if (!this.pumping) void this.pump();
		else if (wasIdle) this.alarm.abort();
	}

	private withdraw(lane: Lane, waiter: Waiter): void {
		const queue = this.waiting.get(lane) ?? [];
		queue.splice(queue.indexOf(waiter), 1);
		if (queue.length > 0) return;
		this.waiting.delete(lane);
		this.alarm.abort();
	}

	private async pump(): Promise<void> {
		this.pumping = true;
		while (this.waiting.size > 0) {
			const now = this.clock.now();
			const lane = this.next(now);
			const waitMs = this.waitMs(lane, now);
			if (waitMs > 0) {
				this.alarm = new AbortController();
				await this.clock.sleep(waitMs, this.alarm.signal);
				continue;
			}
			const waiter = this.takeWaiter(lane, now);
			waiter.grant(this.send(lane, waiter.request, now));
		}
		this.pumping = false;
	}

	/** The lane that may send next. */
	private next(now: number): Lane {
		const waits = [...this.waiting].map(([lane, [{ place }]]) => ({
			lane,
			place,
			waitMs: this.waitMs(lane, now),
		}));
		return waits.reduce((one, other) => {
			const difference = one.waitMs - other.waitMs || one.place - other.place;
			return difference <= 0 ? one : other;
		}).lane;
	}

	private takeWaiter(lane: Lane, now: number): Waiter {
		const queue = this.waiting.get(lane)!;
		const free = queue.filter(({ request }) => !lane.isFull(request));
		const waiter = free.find(({ request }) => lane.isRevealing(request, now)) ?? free[0] ?? queue[0];
		queue.splice(queue.indexOf(waiter), 1);
		if (queue.length === 0) this.waiting.delete(lane);
		return waiter;
	}

	/** @param requests those that wait in the lane */
	private waitMs(lane: Lane, now: number, requests = this.requestsIn(lane)): number {
		if (lane.isExhausted(now)) return 0;
		if (requests.every((request) => lane.isFull(request))) return Number.POSITIVE_INFINITY;
		const waitMs = Math.max(this.spacing.waitMs(now), lane.waitMs(now));
		// No timer is more precise; the next request makes up for it.
		return waitMs < 1 ? 0 : waitMs;
	}

	private send(lane: Lane, request: PacedRequest, now: number): SendSlot | undefined {
		if (lane.isExhausted(now)) return undefined;
		this.spacing.sent(now, this.fixedIntervalMs);
		return lane.send(request, now);
	}

	private requestsIn(lane: Lane): PacedRequest[] {
		return (this.waiting.get(lane) ?? []).map(({ request }) => request);
	}

	private forgetOldest(): void {
		let oldest: [string, number] | undefined;
		for (const [key, lane] of this.lanes) {
			const since = this.waiting.has(lane) ? undefined : lane.idleSince;
			if (since !== undefined && (!oldest || since < oldest[1])) oldest = [key, since];
		}
		if (oldest) this.lanes.delete(oldest[0]);
	}
}
