/** Passes texts from a callback to an async iterator. */
export class TextPipe {
	private waiting: string[] = [];
	private ended = false;
	private wake: () => void = () => {};

	write(text: string): void {
		this.waiting.push(text);
		this.wake();
	}

	/** Ends the pipe when the work succeeds or fails. The promise may be awaited later. */
	endAfter<T>(work: Promise<T>): Promise<T> {
		const end = () => {
			this.ended = true;
			this.wake();
		};
		void work.then(end, end);
		return work;
	}

	/** All texts until the pipe ends. May be read only once. */
	async *texts(): AsyncGenerator<string> {
		for (;;) {
			const texts = this.waiting;
			this.waiting = [];
			yield* texts;
			if (this.waiting.length > 0) continue;
			if (this.ended) return;
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
	}
}
