/** Reads bits, the highest one of each byte first. Behind the end, all of them are zero. */
export class BitReader {
	constructor(
		private readonly bytes: Buffer,
		/** In bits. */
		public position = 0,
	) {}

	bit(): number {
		const { position } = this;
		this.position += 1;
		return ((this.bytes[position >> 3] ?? 0) >> (7 - (position & 7))) & 1;
	}

	/** @param count at most 30 */
	bits(count: number): number {
		let value = 0;
		for (let index = 0; index < count; index++) value = (value << 1) | this.bit();
		return value;
	}
}
