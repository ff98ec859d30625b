/** Larger ranges need no more bits. */
const LEAST_RANGE = 2 ** 23;
const TOP = 0x7fff_ffff;

/** Decodes symbols by their probabilities (RFC 6716, 4.1). Behind the end, all bits are zero. */
export class RangeDecoder {
	private range = 128;
	private value: number;
	private last: number;
	private next = 1;
	private bitsRead = 9;
	private rawBitsRead = 0;

	constructor(private readonly bytes: Buffer) {
		this.last = bytes[0] ?? 0;
		this.value = this.range - 1 - (this.last >> 1);
		this.normalize();
	}

	/** How many bits have been used, rounded up. */
	get used(): number {
		return this.bitsRead - (32 - Math.clz32(this.range));
	}

	get size(): number {
		return 8 * this.bytes.length;
	}

	/** A bit that is one with a probability of 2^-logarithm. */
	bit(logarithm: number): boolean {
		const part = this.range >>> logarithm;
		const isOne = this.value < part;
		if (!isOne) this.value -= part;
		this.range = isOne ? part : this.range - part;
		this.normalize();
		return isOne;
	}

	/** A symbol. @param ends what remains of 256 after each symbol, in descending order down to 0 */
	symbol(ends: number[], bits: number): number {
		const unit = this.range >>> bits;
		let before = this.range;
		for (let symbol = 0; ; symbol++) {
			const end = unit * (ends[symbol] ?? 0);
			if (this.value >= end) {
				this.value -= end;
				this.range = before - end;
				this.normalize();
				return symbol;
			}
			before = end;
		}
	}

	/** Where the next symbol is among 2^15. */
	peek(): number {
		const unit = this.range >>> 15;
		return 32_768 - Math.min(Math.floor(this.value / unit) + 1, 32_768);
	}

	/** Takes the symbol from `low` to `high` of 2^15. */
	take(low: number, high: number): void {
		const unit = this.range >>> 15;
		const end = unit * (32_768 - high);
		this.value -= end;
		this.range = low > 0 ? unit * (high - low) : this.range - end;
		this.normalize();
	}

	/** One of equally likely numbers. @param count at most 256 */
	uniform(count: number): number {
		const unit = Math.floor(this.range / count);
		const number = count - Math.min(Math.floor(this.value / unit) + 1, count);
		const end = unit * (count - number - 1);
		this.value -= end;
		this.range = number > 0 ? unit : this.range - end;
		this.normalize();
		return number;
	}

	/** A number from the end of the frame, where bits stand without probabilities. */
	rawBits(count: number): number {
		let number = 0;
		for (let index = 0; index < count; index++) {
			const byte = this.bytes[this.bytes.length - 1 - (this.rawBitsRead >> 3)] ?? 0;
			number |= ((byte >> (this.rawBitsRead & 7)) & 1) << index;
			this.rawBitsRead += 1;
		}
		this.bitsRead += count;
		return number;
	}

	private normalize(): void {
		while (this.range <= LEAST_RANGE) {
			this.bitsRead += 8;
			this.range *= 256;
			const earlier = this.last;
			this.last = this.bytes[this.next] ?? 0;
			this.next += 1;
			const added = ((earlier << 8) | this.last) >> 1;
			this.value = ((this.value * 256) % (TOP + 1)) + (255 & ~added);
			if (this.value > TOP) this.value -= TOP + 1;
		}
	}
}
