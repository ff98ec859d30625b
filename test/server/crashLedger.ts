import type { Journal, JournalEntry } from '../../emulator';
import { PAID, type RecordedRow } from './resumableBatch';

/** What one kill has cost. */
export interface Loss {
	/** Requests that the gateway had received and not answered completely when n8n died. */
	open: number;
	/** Requests that it had answered, but whose result n8n had not recorded in the table yet. */
	answered: number;
}

/**
 * Compares what the gateway has received with what the table contains.
 *
 * Every received request counts as paid, even if n8n died before it was answered. A request is lost if its result is not
 * in the table after the kill; its row is then paid again. It was under way at the kill: either the gateway was still
 * working on it (`open`), or n8n was, between the answer and the new row of the table (`answered`).
 */
export class CrashLedger {
	/** The open requests at the last kill. */
	private open = new Set<number>();
	/** All requests up to the last kill that has been settled. */
	private readonly settled = new Set<number>();

	constructor(private readonly journal: Journal) {}

	/** To be called in the same tick as the kill. */
	kill(): void {
		this.open = new Set(
			this.requests()
				.filter(({ finishedAt }) => finishedAt === null)
				.map(({ id }) => id),
		);
	}

	/** To be called when n8n is dead, and its connections with it, before it starts again. */
	async dead(): Promise<void> {
		const known = new Set([...this.settled, ...this.open]);
		const isOpen = ({ finishedAt }: JournalEntry) => finishedAt === null;
		const deadline = Date.now() + 5000;
		while (this.requests().some(isOpen)) {
			if (Date.now() > deadline) throw new Error('A killed n8n still has an open request.');
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		// They had left n8n before it died, but had not arrived yet.
		for (const { id, closedByClient } of this.requests()) {
			if (closedByClient && !known.has(id)) this.open.add(id);
		}
	}

	/** What the kill has cost, from the table as n8n finds it when it starts again. */
	loss(recorded: RecordedRow[]): Loss {
		const done = new Set(recorded.filter(({ status }) => status === 'done').map(({ prompt }) => prompt));
		const loss: Loss = { open: 0, answered: 0 };
		for (const { id, body } of this.requests()) {
			if (this.settled.has(id)) continue;
			this.settled.add(id);
			if (done.has((body as { prompt: string }).prompt)) continue;
			if (this.open.has(id)) loss.open += 1;
			else loss.answered += 1;
		}
		return loss;
	}

	/** Number of paid requests. */
	get paid(): number {
		return this.requests().length;
	}

	/** The most paid requests that were ever in progress at once: two runs at the same time would show here. */
	get mostAtOnce(): number {
		return Math.max(0, ...this.requests().map(({ concurrent }) => concurrent));
	}

	private requests(): JournalEntry[] {
		return this.journal.entries(PAID);
	}
}
