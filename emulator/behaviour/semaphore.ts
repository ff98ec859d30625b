import type { Capacity } from './rule';

/** Limits the number of requests in progress to one capacity; waiting requests proceed in order of arrival. */
export class Semaphore {
	private inUse = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly capacity: Capacity) {}

	/**
	 * Acquires a slot, or waits for one if the capacity queues its surplus.
	 * @returns a function that releases the slot; undefined if none is free and the capacity refuses its surplus
	 * @throws Error when the signal aborts during the wait
	 */
	async acquire(signal: AbortSignal): Promise<(() => void) | undefined> {
		if (this.inUse >= this.capacity.concurrent) {
			if (this.capacity.surplus === 'refuse') return undefined;
			await this.turn(signal);
		} else {
			this.inUse += 1;
		}
		return () => this.release();
	}

	private async turn(signal: AbortSignal): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const proceed = () => {
				signal.removeEventListener('abort', leave);
				resolve();
			};
			const leave = () => {
				this.waiting.splice(this.waiting.indexOf(proceed), 1);
				reject(new Error('The request ended while it waited for a slot.'));
			};
			this.waiting.push(proceed);
			signal.addEventListener('abort', leave, { once: true });
		});
	}

	/** Passes the slot to the next waiting request, if there is one. */
	private release(): void {
		const next = this.waiting.shift();
		if (next) next();
		else this.inUse -= 1;
	}
}
