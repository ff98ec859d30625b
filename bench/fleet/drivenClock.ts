import type { Clock } from '../../nodes/shared/pacing/clock';

interface Event {
	at: number;
	/** Events of the same moment happen in the order in which they were planned. */
	order: number;
	happen: () => void;
}

/** Time that jumps from event to event, so that minutes of a thousand processes pass in seconds. */
export class DrivenClock {
	private time = 5_000;
	private planned = 0;
	/** A binary heap, the next event first. */
	private readonly events: Event[] = [];

	now(): number {
		return this.time;
	}

	/** Plans what happens after `milliseconds`. */
	after(milliseconds: number, happen: () => void): void {
		const event = { at: this.time + Math.max(0, milliseconds), order: this.planned++, happen };
		const { events } = this;
		let index = events.push(event) - 1;
		for (; index > 0;) {
			const parent = (index - 1) >> 1;
			if (!isBefore(event, events[parent])) break;
			events[index] = events[parent];
			index = parent;
		}
		events[index] = event;
	}

	/** Lets `milliseconds` pass. */
	async run(milliseconds: number): Promise<void> {
		const end = this.time + milliseconds;
		while (this.events.length > 0 && this.events[0].at <= end) {
			const { at, happen } = this.take();
			this.time = at;
			happen();
			// What waits for the event goes on before the next one.
			await new Promise((resolve) => setImmediate(resolve));
		}
		this.time = end;
	}

	/** The clock of one process, with random numbers of its own. */
	view(random: () => number): Clock {
		return {
			now: () => this.time,
			date: () => 1_700_000_000_000 + Math.floor(this.time),
			random,
			sleep: async (milliseconds, signal) => await this.sleep(milliseconds, signal),
		};
	}

	private async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) return;
		await new Promise<void>((wake) => {
			if (Number.isFinite(milliseconds)) this.after(milliseconds, wake);
			signal?.addEventListener('abort', () => wake(), { once: true });
		});
	}

	private take(): Event {
		const { events } = this;
		const first = events[0];
		const last = events.pop()!;
		if (events.length === 0) return first;
		let index = 0;
		for (;;) {
			let child = 2 * index + 1;
			if (child >= events.length) break;
			if (child + 1 < events.length && isBefore(events[child + 1], events[child])) child += 1;
			if (!isBefore(events[child], last)) break;
			events[index] = events[child];
			index = child;
		}
		events[index] = last;
		return first;
	}
}

function isBefore(one: Event, other: Event): boolean {
	return one.at < other.at || (one.at === other.at && one.order < other.order);
}
