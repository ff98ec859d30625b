import { type Clock, nextGapStart } from './clock';
import { Lane } from './lane';
import type { PacedRequest, SendSlot } from './slot';
import type { WidthBounds } from './width';

/** The number of lanes that a credential remembers. */
const MAX_LANES = 100;

interface Waiter {
	readonly lane: Lane;
	readonly request: PacedRequest;
	readonly grant: (slot: SendSlot | undefined | Promise<never>) => void;
	/** The signal that ends the wait, if the request has to wait. */
	stop?: AbortSignal;
}

/** Decides when the requests of one credential are sent, spaced by its Requests per Minute. */
export class Pacer {
	/** The lanes by their keys, the least recently used first. */
	private readonly lanes = new Map<string, Lane>();
	private readonly waiting = new Set<Waiter>();
	private readonly intervalMs: number;
	private gapStart = -Infinity;
	/** Ends the wait until the next request may be sent. */
	private alarm: AbortController | undefined;

	/** @param requestsPerMinute the fixed limit; 0 for none */
	constructor(
		private readonly clock: Clock,
		requestsPerMinute: number,
	) {
		this.intervalMs = requestsPerMinute > 0 ? 60_000 / requestsPerMinute : 0;
	}

	/** Finds a lane. @param key its endpoint and model @param bounds the bounds of the width if the lane is new */
	lane(key: string, bounds?: WidthBounds): Lane {
		const lane = this.lanes.get(key) ?? new Lane(this.clock, () => this.pump(), bounds);
		this.lanes.delete(key);
		if (this.lanes.size >= MAX_LANES) this.lanes.delete(this.lanes.keys().next().value as string);
		this.lanes.set(key, lane);
		return lane;
	}

	/** Tells whether requests of a lane wait for a limit of the gateway, rather than for each other. */
	isThrottled(lane: Lane): boolean {
		return this.intervalMs > 0 || lane.isThrottled(this.clock.now());
	}

	/** Waits for permission to send a request once. @returns undefined if `signal` was aborted, or the lane fails fast */
	async acquire(lane: Lane, request: PacedRequest, signal?: AbortSignal): Promise<SendSlot | undefined> {
		if (signal?.aborted) return undefined;
		const now = this.clock.now();
		if (this.waiting.size === 0 && this.waitMs(lane, request, now) < 1) return this.send(lane, request, now);
		return await new Promise((resolve) => {
			const withdraw = () => {
				waiter.grant(undefined);
				this.pump();
			};
			const grant: Waiter['grant'] = (slot) => {
				waiter.stop?.removeEventListener('abort', withdraw);
				this.waiting.delete(waiter);
				resolve(slot);
			};
			const waiter: Waiter = { lane, request, grant };
			this.waiting.add(waiter);
			this.pump();
			if (!this.waiting.has(waiter) || !signal) return;
			// A separate signal, because Node warns of eleven listeners at one.
			waiter.stop = AbortSignal.any([signal]);
			waiter.stop.addEventListener('abort', withdraw);
		});
	}

	/** Sends what may be sent now, and schedules the next turn. It never throws. */
	private pump(): void {
		try {
			this.sendNow();
		} catch (error) {
			this.failAll(error as Error);
		}
	}

	/** Ends all waits after a fault, because its caller is at the end of another request, or is nobody. */
	private readonly failAll = (error: Error): void => {
		for (const { grant } of this.waiting) grant(Promise.reject(error));
	};

	private sendNow(): void {
		this.alarm?.abort();
		this.alarm = undefined;
		if (this.waiting.size === 0) return;
		const now = this.clock.now();
		let nextMs = Infinity;
		const first = [...this.waiting].filter(({ lane, request }) => lane.breaker.hasPriority(request));
		for (const { lane, request, grant } of new Set([...first, ...this.waiting])) {
			const waitMs = this.waitMs(lane, request, now);
			if (waitMs < 1) grant(this.send(lane, request, now));
			else nextMs = Math.min(nextMs, waitMs);
		}
		if (nextMs < Infinity) this.pumpAfter(nextMs).catch(this.failAll);
	}

	/** Returns milliseconds until a request may be sent. Less than one counts as none, as no timer is more precise. */
	private waitMs(lane: Lane, request: PacedRequest, now: number): number {
		return Math.max(this.gapStart + this.intervalMs - now, lane.waitMs(request, now));
	}

	private send(lane: Lane, request: PacedRequest, now: number): SendSlot | undefined {
		const slot = lane.send(request, now);
		if (slot) this.gapStart = nextGapStart(this.gapStart, this.intervalMs, now);
		return slot;
	}

	private async pumpAfter(waitMs: number): Promise<void> {
		const { signal } = (this.alarm = new AbortController());
		await this.clock.sleep(waitMs, signal);
		if (!signal.aborted) this.pump();
	}
}
