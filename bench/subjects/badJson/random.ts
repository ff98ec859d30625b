/** Random choices that are the same in every run. */
export class Random {
	constructor(private state: number) {}

	/** A number from 0 to 1, without 1 (mulberry32). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** An integer from `least` to `most`. */
	integer(least: number, most: number): number {
		return least + Math.floor(this.next() * (most - least + 1));
	}

	chance(): boolean {
		return this.next() < 0.5;
	}

	pick<T>(choices: readonly T[]): T {
		return choices[this.integer(0, choices.length - 1)];
	}

	list<T>(least: number, most: number, entry: () => T): T[] {
		return Array.from({ length: this.integer(least, most) }, entry);
	}
}
