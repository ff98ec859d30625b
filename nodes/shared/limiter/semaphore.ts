/** Waits without a slot, so that somebody else uses it meanwhile. */
export type Rest = (wait: () => Promise<void>) => Promise<void>;

/** How much may be in progress at once: a number, or one that may change at any time. */
export type Concurrency = number | (() => number);

/** Limits how much work is in progress at once. Whoever asks first goes first. */
export class Semaphore {
	private readonly waiting: Array<() => void> = [];
	private inUse = 0;

	/** @param concurrency is asked whenever a slot is wanted or given back; there is always one slot */
	constructor(private readonly concurrency: Concurrency) {}

	/** Waits for a free slot. @returns the function that gives it back; further calls of it have no effect */
	async acquire(): Promise<() => void> {
		await new Promise<void>((resolve) => {
			this.waiting.push(resolve);
			this.admit();
		});
		let held = true;
		return () => {
			if (!held) return;
			held = false;
			this.inUse -= 1;
			this.admit();
		};
	}

	/** Does some work as soon as a slot is free; the work can `rest` without it. */
	async use<T>(work: (rest: Rest) => Promise<T>): Promise<T> {
		let release = await this.acquire();
		const rest: Rest = async (wait) => {
			release();
			await wait();
			release = await this.acquire();
		};
		try {
			return await work(rest);
		} finally {
			release();
		}
	}

	/** How many slots there are now. */
	get size(): number {
		return sizeOf(this.concurrency);
	}

	private admit(): void {
		while (this.waiting.length > 0 && this.inUse < this.size) {
			this.inUse += 1;
			this.waiting.shift()!();
		}
	}
}

/** How much may be in progress at the moment; at least 1. */
export function sizeOf(concurrency: Concurrency): number {
	const size = typeof concurrency === 'number' ? concurrency : concurrency();
	return Math.max(1, Math.floor(size) || 1);
}
