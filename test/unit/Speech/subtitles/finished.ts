/** The result of work that pauses in between. */
export function finished<T>(work: Generator<void, T>): T {
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
	}
}
