import type { Clock } from '../limiter/clock';
import { amount, durationInWords, joined, momentInWords } from '../plain/inWords';

export const REPORT_EVERY_MS = 15_000;

/** The items, or the share of all (a quarter), after which the time for the rest can be estimated. */
const MEANINGFUL_ITEMS = 5;
const MEANINGFUL_SHARE = 4;

export class Progress {
	private readonly failed = new Map<number, boolean>();
	private readonly startedAt: number;

	constructor(
		readonly total: number,
		private readonly clock: Clock,
	) {
		this.startedAt = clock.now();
	}

	/** Records items that need no further work. @param results what became of them, if any of them may have failed */
	ended(items: number | number[], results: object[] = []): void {
		const hasFailed = results.some((linked) => 'failure' in linked);
		for (const item of [items].flat()) this.failed.set(item, hasFailed);
	}

	get tookMs(): number {
		return this.clock.now() - this.startedAt;
	}

	/** Says in one line how far the run is. @param paid the number of paid items @param until the end of a wait */
	line(paid: number, until: number | undefined, timeZone: string): string {
		const ended = this.failed.size;
		const failed = [...this.failed.values()].filter(Boolean).length;
		const done = `${ended - failed} of ${amount(this.total, 'item')} done`;
		const counts = [done, failed > 0 && `${failed} failed`, paid > 0 && `${paid} paid for`];
		const moment =
			until === undefined ? undefined : momentInWords(until, { now: this.clock.date(), timeZone });
		// A pause says nothing about the rest, and neither do the first few items.
		const isKnown = !moment && (ended >= MEANINGFUL_ITEMS || ended * MEANINGFUL_SHARE >= this.total);
		const leftMs = isKnown && ended > 0 ? (this.tookMs / ended) * (this.total - ended) : 0;
		const waiting = moment && `waiting for a limit of the gateway until ${moment}`;
		const left = leftMs >= 1000 && `about ${durationInWords(leftMs)} left`;
		return joined([joined(counts, ', '), waiting, left], '; ');
	}
}
