import { routeMatcher } from './routePattern';

/** What the emulator found in the place of a key. Keys themselves are never recorded. */
export type KeyState = 'valid' | 'invalid' | 'missing';

/** One request that arrived. An entry is filled further while the answer is on its way. */
export interface JournalEntry {
	/** Counts from 1 and is not reset by `clear()`. */
	readonly id: number;
	readonly method: string;
	/** Path without the query. */
	readonly path: string;
	readonly query: Readonly<Record<string, unknown>>;
	/** Header names in lower case; the values of `authorization` and of the key headers are a `KeyState`. */
	readonly headers: Readonly<Record<string, string>>;
	/** Whether the request carried an accepted key, in whichever header its route allows. */
	readonly key: KeyState;
	/**
	 * The parsed JSON; the text of JSON that cannot be parsed; `{ fields, files }` of a form, the files with their names
	 * and sizes only; `{ bytes }` for binary or very large bodies.
	 */
	body: unknown;
	/** Time in ms, of the emulator's clock. */
	readonly receivedAt: number;
	/** Requests that were in progress when this one arrived, itself included. */
	readonly concurrent: number;
	/** HTTP status that was answered; null while, or when, nothing was answered. */
	status: number | null;
	/** Kind of the fault that the emulator was told to produce for this request. */
	fault: string | null;
	/** Time in ms at which the answer or the connection ended. */
	finishedAt: number | null;
	/** Whether the client closed the connection before the answer was complete. */
	closedByClient: boolean;
}

/** A route pattern (see `routePattern.ts`) or a condition on the entry. */
export type JournalFilter = string | ((entry: JournalEntry) => boolean);

const keptEntries = 10_000;
const defaultPatienceMs = 5_000;

function condition(filter: JournalFilter): (entry: JournalEntry) => boolean {
	if (typeof filter === 'function') return filter;
	const matches = routeMatcher(filter);
	return (entry) => matches(entry.method, entry.path);
}

/** Every request that reached the emulator, in the order of arrival; the newest 10,000 are kept. */
export class Journal {
	private kept: JournalEntry[] = [];
	private readonly listeners = new Set<() => void>();
	private lastId = 0;
	private inProgress = 0;

	/** The entries that fulfil the filter (all without one). They are live: they go on being filled. */
	entries(filter: JournalFilter = () => true): JournalEntry[] {
		return this.kept.filter(condition(filter));
	}

	/** Number of entries that fulfil the filter. */
	count(filter: JournalFilter = () => true): number {
		return this.entries(filter).length;
	}

	/** Forgets all entries. */
	clear(): void {
		this.kept = [];
	}

	/**
	 * Resolves with the entries that fulfil the filter as soon as there are `count` of them.
	 * @param timeoutMs in real time
	 * @throws Error when the time is up
	 */
	async until(
		count: number,
		filter: JournalFilter = () => true,
		timeoutMs = defaultPatienceMs,
	): Promise<JournalEntry[]> {
		const found = () => {
			const entries = this.entries(filter);
			return entries.length >= count ? entries : undefined;
		};
		return await new Promise((resolve, reject) => {
			const settle = () => {
				const entries = found();
				if (!entries) return;
				stop();
				resolve(entries);
			};
			const timer = setTimeout(() => {
				stop();
				const state = `${this.count(filter)} of ${count} awaited entries, ${this.count()} entries in all`;
				reject(new Error(`The journal has ${state} after ${timeoutMs} ms.`));
			}, timeoutMs);
			const stop = () => {
				clearTimeout(timer);
				this.listeners.delete(settle);
			};
			this.listeners.add(settle);
			settle();
		});
	}

	/** Records a request that just arrived; the server calls it. */
	open(
		request: Pick<JournalEntry, 'method' | 'path' | 'query' | 'headers' | 'key' | 'receivedAt'>,
	): JournalEntry {
		this.inProgress += 1;
		const entry: JournalEntry = {
			...request,
			id: ++this.lastId,
			body: undefined,
			concurrent: this.inProgress,
			status: null,
			fault: null,
			finishedAt: null,
			closedByClient: false,
		};
		this.kept.push(entry);
		if (this.kept.length > keptEntries) this.kept.shift();
		this.changed();
		return entry;
	}

	/** Fills a part of an entry; the server calls it. */
	note(entry: JournalEntry, found: Partial<Pick<JournalEntry, 'body' | 'status' | 'fault'>>): void {
		Object.assign(entry, found);
		this.changed();
	}

	/** Records that the answer, or the connection, has ended; the server calls it once per entry. */
	close(entry: JournalEntry, finishedAt: number, closedByClient: boolean): void {
		this.inProgress -= 1;
		Object.assign(entry, { finishedAt, closedByClient });
		this.changed();
	}

	private changed(): void {
		for (const listener of [...this.listeners]) listener();
	}
}
