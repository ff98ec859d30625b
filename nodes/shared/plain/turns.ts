/** The longest time, in milliseconds, for which work may block the event loop. */
const LONGEST_TURN_MS = 8;

/**
 * Divides long work into turns of the event loop, because n8n is one process for everybody's workflows: after each
 * short step, `if (turns.isOver) await turns.next()`.
 */
export class Turns {
	private startedAt = performance.now();

	get isOver(): boolean {
		return performance.now() - this.startedAt > LONGEST_TURN_MS;
	}

	async next(): Promise<void> {
		lastTurn = lastTurn.then(nextTurn);
		await lastTurn;
		this.startedAt = performance.now();
	}
}

/** Gives each piece of long work a separate turn: five in the same turn would block n8n five times as long. */
let lastTurn = Promise.resolve();

/** Runs long work, which yields after each short step, in turns of the event loop. */
export async function inTurns<T>(work: Generator<void, T>): Promise<T> {
	const turns = new Turns();
	for (;;) {
		const step = work.next();
		if (step.done) return step.value;
		if (turns.isOver) await turns.next();
	}
}

/** Resolves in the next turn of the event loop. Several messages on one channel may be delivered in the same turn. */
export async function nextTurn(): Promise<void> {
	await new Promise<void>((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.once('message', () => {
			port1.close();
			resolve();
		});
		port2.postMessage(undefined);
	});
}

/** Limits how much is in progress at once, first come, first served. */
export class Gate {
	private readonly waiting: Array<() => void> = [];
	private inside = 0;

	/** @param width how much may be in progress at the moment; there is always room for one */
	constructor(private readonly width: () => number) {}

	/** Waits for room. Every caller must {@link leave} afterwards. */
	async enter(): Promise<void> {
		const entered = new Promise<void>((resolve) => this.waiting.push(resolve));
		this.admit();
		await entered;
	}

	leave(): void {
		this.inside -= 1;
		this.admit();
	}

	/** Lets in those who wait, while there is room. Must be called when there may be more room. */
	admit(): void {
		const room = Math.max(1, Math.floor(this.width()));
		while (this.waiting.length > 0 && this.inside < room) {
			this.inside += 1;
			this.waiting.shift()!();
		}
	}
}
