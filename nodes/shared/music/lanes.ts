/** Lets at most so many pieces of work run at once; the others wait in the order in which they came. */
export class Lanes {
	private readonly waiting: Array<() => void> = [];
	private free: number;

	/** @param count whole, at least 1 */
	constructor(count: number) {
		this.free = count;
	}

	/** Runs `work` as soon as a lane is free; gives what it gives and throws what it throws. */
	async run<T>(work: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free -= 1;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await work();
		} finally {
			// A lane that is handed on was never free.
			const next = this.waiting.shift();
			if (next) next();
			else this.free += 1;
		}
	}
}
