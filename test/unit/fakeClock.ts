import { setMaxListeners } from 'node:events';
import type { Clock } from '../../nodes/shared/limiter/clock';

interface Sleeper {
	at: number;
	wake: () => void;
}

/** The date at the beginning of a test, in ms. */
const FIRST_DATE = 1_700_000_000_000;

/** A clock that jumps to the next sleeper instead of waiting. */
export class FakeClock implements Clock {
	/** The monotonic time. It is as far from a date as in a real process, so that mixing up the two is noticed. */
	private time = 5_000;
	private readonly dateOfStart = FIRST_DATE - this.time;
	private sleepers: Sleeper[] = [];
	private seed = 1;
	/** The number of turns of the event loop that work may take without time passing. */
	turns = 1;

	now(): number {
		return this.time;
	}

	date(): number {
		return Math.floor(this.dateOfStart + this.time);
	}

	/** Tells whether anything is waiting for the clock. */
	get isWaiting(): boolean {
		return this.sleepers.length > 0;
	}

	random(): number {
		this.seed = (this.seed * 1_103_515_245 + 12_345) % 2_147_483_648;
		return this.seed / 2_147_483_648;
	}

	async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) return;
		// Node warns if a signal has more than ten listeners.
		if (signal) setMaxListeners(0, signal);
		await new Promise<void>((wake) => {
			const leave = () => {
				this.sleepers = this.sleepers.filter((other) => other !== sleeper);
				signal?.removeEventListener('abort', leave);
				wake();
			};
			const sleeper = { at: this.time + Math.max(0, milliseconds), wake: leave };
			this.sleepers.push(sleeper);
			signal?.addEventListener('abort', leave);
		});
	}

	/** Lets time pass without waking any sleeper, for code that does not wait. */
	pass(milliseconds: number): void {
		this.time += milliseconds;
	}

	/** Lets time pass until `work` is done. */
	async run<T>(work: Promise<T>): Promise<T> {
		let done = false;
		const settle = () => (done = true);
		work.then(settle, settle);
		while (!done) {
			for (let turn = 0; turn < this.turns && !done; turn++) {
				await new Promise((resolve) => setImmediate(resolve));
			}
			if (done) break;
			this.sleepers.sort((one, other) => one.at - other.at);
			const next = this.sleepers.shift();
			if (!next) continue;
			this.time = Math.max(this.time, next.at);
			next.wake();
		}
		return await work;
	}
}
