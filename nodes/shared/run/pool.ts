import { Gate, nextTurn } from '../plain/turns';

/** The entries that start in one turn of the event loop: few, to spread out requests; several, as turns take time. */
const STARTS_PER_TURN = 4;

/** The most entries that may start beyond the width while others do not occupy the gateway; each needs memory. */
const MAX_ASIDE = 100;

/** Limits how many entries of a run's pools are in progress. Only the limiter decides how many requests are. */
export class Capacity {
	private readonly gates = new Set<Gate>();
	private aside = 0;

	/** @param width how many requests the run may have in progress at the moment */
	constructor(private readonly width: () => number) {}

	/** Notes that an entry does not occupy the gateway, so that another one may start. @returns a function to end this */
	setAside(): () => void {
		this.aside += 1;
		for (const gate of this.gates) gate.admit();
		return () => (this.aside -= 1);
	}

	open(): Gate {
		const gate = new Gate(() => this.width() + Math.min(this.aside, MAX_ASIDE));
		this.gates.add(gate);
		return gate;
	}

	close(gate: Gate): void {
		this.gates.delete(gate);
	}
}

export interface PoolSettings<Result> {
	capacity: Capacity;
	/** Once a result satisfies this, nothing more starts. */
	stopsAt?: (result: Result) => boolean;
	/** Once it is aborted, nothing more starts. */
	signal?: AbortSignal;
}

/**
 * Runs `worker`, which must not reject, for each entry, as many at once as there is capacity for. Only a few start in
 * one turn of the event loop: otherwise, all requests that follow responses would arrive together. @returns the
 * results; undefined for entries that did not start
 */
export async function runPool<Entry, Result>(
	entries: readonly Entry[],
	worker: (entry: Entry, index: number) => Promise<Result>,
	{ capacity, stopsAt, signal }: PoolSettings<Result>,
): Promise<Array<Result | undefined>> {
	const results = new Array<Result | undefined>(entries.length).fill(undefined);
	const started: Array<Promise<void>> = [];
	const gate = capacity.open();
	let stopped = false;
	const isOver = () => stopped || signal?.aborted === true;
	const run = async (entry: Entry, index: number) => {
		try {
			const result = await worker(entry, index);
			results[index] = result;
			stopped ||= stopsAt?.(result) ?? false;
		} finally {
			gate.leave();
		}
	};
	try {
		for (const [index, entry] of entries.entries()) {
			await gate.enter();
			if (index % STARTS_PER_TURN === 0) await nextTurn();
			if (isOver()) break;
			started.push(run(entry, index));
		}
	} finally {
		// Requests that have started are paid for, so their results are waited for.
		await Promise.allSettled(started);
		capacity.close(gate);
	}
	await Promise.all(started);
	return results;
}
