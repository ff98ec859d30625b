/** Limits how much is in progress at once, first come, first served. */
export class Gate {
	private readonly waiting: Array<() => void> = [];
	private inside = 0;

	/** @param width how much may be in progress at the moment; there is always room for one */
	constructor(private readonly width: () => number) {}

	/** Waits for room. Whoever has entered must {@link leave}. */
	async enter(): Promise<void> {
		const entered = new Promise<void>((resolve) => this.waiting.push(resolve));
		this.admit();
		await entered;
	}

	leave(): void {
		this.inside -= 1;
		this.admit();
	}

	/** Lets in who waits, as far as there is room. To be called when there may be more room. */
	admit(): void {
		const room = Math.max(1, Math.floor(this.width()));
		while (this.waiting.length > 0 && this.inside < room) {
			this.inside += 1;
			this.waiting.shift()!();
		}
	}
}
