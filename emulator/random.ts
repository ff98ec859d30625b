import { createHash } from 'node:crypto';

/** Generates pseudorandom numbers, always the same for the same seed. All made-up data comes from them. */
export class Dice {
	private state: number;

	/** @param seed parts that are joined to one seed, for example `new Dice('weather', '上海', '2026-08-21')` */
	constructor(...seed: Array<string | number>) {
		this.state = createHash('sha256').update(seed.join('\u0000')).digest().readUInt32LE(0);
	}

	/** Returns a number in [0, 1) (mulberry32). */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = this.state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	}

	/** Returns an integer from `low` to `high`, inclusive. */
	integer(low: number, high: number): number {
		return low + Math.floor(this.next() * (high - low + 1));
	}

	/** Returns a number from `low` to `high` with `places` decimals. */
	decimal(low: number, high: number, places: number): number {
		return Number((low + this.next() * (high - low)).toFixed(places));
	}

	/** Returns one element of a list, which must not be empty. */
	pick<Element>(list: readonly Element[]): Element {
		return list[this.integer(0, list.length - 1)];
	}

	/** Returns the elements of a list in random order. */
	shuffle<Element>(list: readonly Element[]): Element[] {
		const shuffled = [...list];
		for (let last = shuffled.length - 1; last > 0; last--) {
			const other = this.integer(0, last);
			[shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
		}
		return shuffled;
	}

	/** Returns up to `count` different elements of a list, in random order. */
	sample<Element>(list: readonly Element[], count: number): Element[] {
		return this.shuffle(list).slice(0, count);
	}
}
