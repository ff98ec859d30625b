import type { Clock } from './clock';
import type { Rate } from './rate';
import type { PacedRequest, SendSlot } from './slot';
import { backOffMs } from './timing';

/** How long a request is tried after its first attempt; also the longest accepted wait. */
export const RETRY_DEADLINE_MS = 10 * 60_000;

/** From so many refused requests on, the gateway refuses the lane. If it refuses 30 % at random, three in a row are common. */
const SHARED_FROM = 5;

/** From so many refused requests on, a limit that lasts for longer than any request waits counts: the gateway has named its end. */
const EXHAUSTED_FROM = 3;

/** After so many pauses without success, about four minutes, the limit is none that a request can wait for. */
const MOST_PAUSES = 16;

/** How long an exhausted lane sends nothing. */
const EXHAUSTED_MS = 60_000;

/** Whom refusals concern: single requests, or the lane, which then pauses until a request is admitted again. */
export class Trouble {
	/** When the limit of an exhausted lane ends, in milliseconds since the epoch, if the gateway said so. */
	limitEnd: number | undefined;
	/** What was refused last while nothing that was sent later has been admitted. */
	private readonly suspects = new Map<PacedRequest, SendSlot>();
	private pauses = 0;
	private pausedAt = 0;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	private exhaustedUntil = Number.NEGATIVE_INFINITY;

	constructor(
		private readonly clock: Clock,
		private readonly rate: Rate,
	) {}

	/** Whether something was refused and nothing that was sent later has been admitted. */
	get isOpen(): boolean {
		return this.suspects.size > 0;
	}

	/** Whether the gateway refuses the lane rather than single requests. */
	get isShared(): boolean {
		return this.pauses > 0 || this.suspects.size >= SHARED_FROM;
	}

	/** Whether a request would only be refused. */
	isExhausted(now: number): boolean {
		return now < this.exhaustedUntil;
	}

	/** Whether a request goes first: after each pause, new and refused ones take turns, because either may be admitted. */
	goesFirst({ refusedNumber }: PacedRequest): boolean {
		return this.pauses > 0 && (this.pauses % 2 === 1) === (refusedNumber === Infinity);
	}

	/** How long nothing is sent, in milliseconds. */
	pauseMs(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	/** A request was refused, and nothing that was sent later has been admitted. */
	suspect(slot: SendSlot, now: number): void {
		this.suspects.set(slot.request, slot);
		const { shortestMs } = this;
		if (this.suspects.size >= EXHAUSTED_FROM && shortestMs > RETRY_DEADLINE_MS) this.exhaust(now, shortestMs);
	}

	/** The lane is refused. @returns milliseconds until the request may be sent again */
	pause(slot: SendSlot, now: number): number {
		// What was sent before a pause was refused for the same reason as what began it.
		if (slot.sentAt >= this.pausedAt) {
			this.pauses += 1;
			this.pausedAt = now;
			this.pausedUntil = now + backOffMs(this.pauses, this.clock);
			this.rate.cut(slot, now, this.pausedUntil);
			if (this.pauses > MOST_PAUSES) this.exhaust(now, undefined);
		}
		// Single requests may be told to wait for longer than the others.
		const { shortestMs } = this;
		if (shortestMs <= RETRY_DEADLINE_MS) this.pausedUntil = Math.max(this.pausedUntil, now + shortestMs);
		return Math.max(slot.retryAfterMs ?? 0, this.pausedUntil - now);
	}

	/** A request was admitted: what was refused before it was refused alone, or the limit is over. */
	admitted(slot: SendSlot): void {
		for (const [request, { number }] of this.suspects)
			if (number < slot.number) this.suspects.delete(request);
		if (this.isOpen) return;
		this.pauses = 0;
		this.pausedUntil = Number.NEGATIVE_INFINITY;
		this.exhaustedUntil = Number.NEGATIVE_INFINITY;
	}

	/** The shortest wait that any of the suspects was asked for, in milliseconds. */
	private get shortestMs(): number {
		return Math.min(...[...this.suspects.values()].map(({ retryAfterMs = 0 }) => retryAfterMs));
	}

	private exhaust(now: number, endsInMs: number | undefined): void {
		this.exhaustedUntil = now + EXHAUSTED_MS;
		this.limitEnd = endsInMs === undefined ? undefined : this.clock.date() + endsInMs;
	}
}
