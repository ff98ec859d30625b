import { routeMatcher } from './routePattern';

/** The state of the key in a request. Keys themselves are never recorded. */
export type KeyState = 'valid' | 'invalid' | 'missing';

/** One request. The entry is updated until the response ends. */
export interface JournalEntry {
	/** Starts at 1; `clear()` does not reset it. */
	readonly id: number;
	readonly method: string;
	/** Path without the query. */
	readonly path: string;
	readonly query: Readonly<Record<string, unknown>>;
	/** The headers, with names in lower case. The value of `authorization` and of each key header is a `KeyState`. */
	readonly headers: Readonly<Record<string, string>>;
	/** The state of the key across all headers that the route accepts. */
	readonly key: KeyState;
	/**
	 * The parsed JSON, or its text if it is invalid; `{ fields, files }` for a form, with only the names, types, and
	 * sizes of the files; `{ bytes }` for binary or very large bodies.
	 */
	body: unknown;
	/** Time in ms by the emulator's clock. */
	readonly receivedAt: number;
	/** Number of requests in progress when this one arrived, including this one. */
	readonly concurrent: number;
	/** HTTP status of the response; null if there is none (yet). */
	status: number | null;
	/** Kind of the fault that affected this request; null for none. */
	fault: string | null;
	/** Names of the dialects that changed the answer. */
	dialects: readonly string[];
	/** Whether the gateway carried the request out: what a client pays for, even if the answer does not reach it. */
	carriedOut: boolean;
	/** The ID of the request whose answer was sent again because both have the same idempotency key; otherwise null. */
	replayOf: number | null;
	/** Time in ms at which the response or the connection ended. */
	finishedAt: number | null;
	/** True if the client closed the connection before the response was complete. */
	closedByClient: boolean;
}

/** A route pattern (see `routePattern.ts`) or a predicate on the entry. */
export type JournalFilter = string | ((entry: JournalEntry) => boolean);

const maxEntries = 10_000;
/** A limit far above the time that anything takes on a busy machine, in milliseconds. */
const defaultTimeoutMs = 120_000;

function condition(filter: JournalFilter): (entry: JournalEntry) => boolean {
	if (typeof filter === 'function') return filter;
	const matches = routeMatcher(filter);
	return (entry) => matches(entry.method, entry.path);
}

/** The newest 10,000 requests that reached the emulator, in order of arrival. */
export class Journal {
	private kept: JournalEntry[] = [];
	private readonly listeners = new Set<() => void>();
	private lastId = 0;
	private inProgress = 0;

	/** Returns the entries that match the filter; by default, all. The entries are live and continue to be updated. */
	entries(filter: JournalFilter = () => true): JournalEntry[] {
		return this.kept.filter(condition(filter));
	}

	/** Returns the number of entries that match the filter. */
	count(filter: JournalFilter = () => true): number {
		return this.entries(filter).length;
	}

	/** Removes all entries. */
	clear(): void {
		this.kept = [];
	}

	/**
	 * Resolves with the entries that match the filter as soon as there are at least `count` of them.
	 * @param timeoutMs in real time
	 * @throws Error after the timeout
	 */
	async until(
		count: number,
		filter: JournalFilter = () => true,
		timeoutMs = defaultTimeoutMs,
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
				const state = `${this.count(filter)} of ${count} expected entries (${this.count()} in total)`;
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

	/** Records a request when it arrives. Called by the server. */
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
			dialects: [],
			carriedOut: false,
			replayOf: null,
			finishedAt: null,
			closedByClient: false,
		};
		this.kept.push(entry);
		if (this.kept.length > maxEntries) this.kept.shift();
		this.changed();
		return entry;
	}

	/** Updates parts of an entry. Called by the server. */
	update(
		entry: JournalEntry,
		parts: Partial<Pick<JournalEntry, 'body' | 'status' | 'fault' | 'dialects' | 'carriedOut' | 'replayOf'>>,
	): void {
		Object.assign(entry, parts);
		this.changed();
	}

	/** Records the end of the response or the connection. The server calls it once per entry. */
	close(entry: JournalEntry, finishedAt: number, closedByClient: boolean): void {
		this.inProgress -= 1;
		Object.assign(entry, { finishedAt, closedByClient });
		this.changed();
	}

	private changed(): void {
		for (const listener of [...this.listeners]) listener();
	}
}
