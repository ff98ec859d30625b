import { momentInWords } from '../errors/rateLimitFailure';
import type { Ledger } from '../send/ledger';
import type { Clock } from '../limiter/clock';
import { type Exit, logProgress } from './exits';

/** How often a long run says how far it is, in milliseconds. */
export const REPORT_EVERY_MS = 15_000;

/** After how many items, or what part of all of them (a quarter), the time for the rest can be estimated. */
const MEANINGFUL_ITEMS = 5;
const MEANINGFUL_SHARE = 4;

/** How far a run is. */
export class Progress {
	private readonly failed = new Map<number, boolean>();
	private readonly startedAt: number;

	/** @param total how many items there are */
	constructor(
		private readonly total: number,
		private readonly clock: Clock,
	) {
		this.startedAt = clock.now();
	}

	/** These items need no further work. @param results what became of them, if any of them may have failed */
	ended(items: number | number[], results: object[] = []): void {
		const hasFailed = results.some((linked) => 'failure' in linked);
		for (const item of [items].flat()) this.failed.set(item, hasFailed);
	}

	/** How long the run has taken, in milliseconds. */
	get tookMs(): number {
		return this.clock.now() - this.startedAt;
	}

	/**
	 * Says regularly how far the run is, until `end` is called.
	 *
	 * @param accounts undefined before the first request
	 */
	report(exit: () => Exit, accounts: () => Accounts | undefined): { end: () => Promise<void> } {
		const over = new AbortController();
		const reporting = this.reportUntil(over.signal, exit, accounts);
		return {
			end: async () => {
				over.abort();
				await reporting;
			},
		};
	}

	private async reportUntil(
		over: AbortSignal,
		exit: () => Exit,
		accounts: () => Accounts | undefined,
	): Promise<void> {
		for (;;) {
			await this.clock.sleep(REPORT_EVERY_MS, over);
			if (over.aborted) return;
			const { context } = exit();
			logProgress(exit(), this.line(accounts(), context.getTimezone()));
		}
	}

	/** How far the run is, in one line. */
	line(accounts: Accounts | undefined, timeZone: string): string {
		const ended = this.failed.size;
		const failed = [...this.failed.values()].filter(Boolean).length;
		const paid = accounts?.paidItems.size ?? 0;
		const counts = [
			`${ended - failed} of ${amount(this.total, 'item')} done`,
			...(failed > 0 ? [`${failed} failed`] : []),
			...(paid > 0 ? [`${paid} paid for`] : []),
		];
		const until = accounts?.ledger.waitsUntil;
		const moment = until && momentInWords(until, { now: this.clock.date(), timeZone });
		// A pause says nothing about the rest, and neither do the first few items.
		const isKnown = !moment && (ended >= MEANINGFUL_ITEMS || ended * MEANINGFUL_SHARE >= this.total);
		const leftMs = isKnown && ended > 0 ? (this.tookMs / ended) * (this.total - ended) : 0;
		return [
			counts.join(', '),
			...(moment ? [`waiting for a limit of the gateway until ${moment}`] : []),
			...(leftMs >= 1000 ? [`about ${durationInWords(leftMs)} left`] : []),
		].join('; ');
	}
}

/** What a run has paid. */
export interface Accounts {
	ledger: Ledger;
	/** Items for which the run has paid. */
	paidItems: Set<number>;
}

/** A number for people. */
export function count(number: number): string {
	return number.toLocaleString('en-US');
}

/** A number of things for people. */
export function amount(number: number, noun: string): string {
	return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** A duration for people: `8 s`, `3 min 12 s`, or `2 h 5 min`. */
export function durationInWords(milliseconds: number): string {
	const seconds = Math.max(1, Math.round(milliseconds / 1000));
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
	return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
