import { setMaxListeners } from 'node:events';
import { systemClock, type Clock } from '../../nodes/shared/limiter/clock';
import { seededRandom } from '../unit/seededRandom';

interface Sleeper {
	at: number;
	/** Decides the order of sleepers that wake at the same moment. */
	order: number;
	wake: () => void;
}

/** The way in which a run of a simulated process ended. */
export type Ending =
	| 'ended'
	/** Nothing more can happen, although the run has not ended. */
	| 'stuck'
	/** The run took more simulated time than allowed. */
	| 'overdue'
	| 'killed';

/** The date at the beginning of a world, in ms. */
const FIRST_DATE = 1_700_000_000_000;
/** The longest time that one step of long work takes, in milliseconds. */
const LONGEST_STEP_MS = 4;
/** The number of turns of the event loop without an event that show that nothing more can happen. */
const TURNS_UNTIL_STUCK = 20;

/**
 * Controls time, randomness, and turns of the event loop in a world. It jumps to the next sleeper as soon as nothing
 * else can happen.
 */
export class SimulatedClock implements Clock {
	private time = 5_000;
	private stepTime = 0;
	private readonly sleepers = new Set<Sleeper>();
	/** How much happens outside of the simulated process: answers of the emulator, and turns of the event loop. */
	private outside = 0;
	private isKilled = false;
	readonly random: () => number;
	/** Called at each moment at which something else may happen: before a sleeper wakes, and at each call of n8n. */
	onMoment: () => void = () => undefined;

	constructor(seed: number) {
		this.random = seededRandom(seed);
	}

	now = (): number => this.time;
	date = (): number => Math.floor(FIRST_DATE + this.time);

	/** Returns the number of sleepers. */
	get sleeping(): number {
		return this.sleepers.size;
	}

	sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
		if (signal?.aborted) return;
		// Node warns if a signal has more than ten listeners.
		if (signal) setMaxListeners(0, signal);
		await new Promise<void>((resolve) => {
			if (this.isKilled) return;
			const wake = () => {
				this.sleepers.delete(sleeper);
				signal?.removeEventListener('abort', wake);
				resolve();
			};
			const sleeper = { at: this.time + Math.max(0, milliseconds), order: this.random(), wake };
			this.sleepers.add(sleeper);
			signal?.addEventListener('abort', wake);
		});
	};

	/** Waits for something outside the simulated process. No time passes meanwhile. */
	async during<T>(work: Promise<T>): Promise<T> {
		this.outside += 1;
		try {
			return await work;
		} finally {
			this.outside -= 1;
		}
	}

	/** Ends the simulated process at once. Its memory is gone, and nothing in it goes on. */
	kill(): void {
		this.isKilled = true;
		this.sleepers.clear();
	}

	get wasKilled(): boolean {
		return this.isKilled;
	}

	/** Lets time pass until some work has ended. @param limitMs how long it may take in simulated time */
	async run(work: Promise<unknown>, limitMs: number): Promise<Ending> {
		const until = this.time + limitMs;
		let hasEnded = false;
		const end = () => (hasEnded = true);
		work.then(end, end);
		for (let idle = 0; idle < TURNS_UNTIL_STUCK; idle++) {
			await this.settle();
			if (this.isKilled) return 'killed';
			if (hasEnded) return 'ended';
			const next = this.next();
			if (!next) continue;
			idle = 0;
			this.time = Math.max(this.time, next.at);
			if (this.time > until) return 'overdue';
			this.onMoment();
			if (!this.isKilled) next.wake();
		}
		return 'stuck';
	}

	/** Waits until nothing can happen before a sleeper wakes. */
	async settle(): Promise<void> {
		do {
			await nextImmediate();
		} while (this.outside > 0);
	}

	private next(): Sleeper | undefined {
		let first: Sleeper | undefined;
		for (const one of this.sleepers) {
			if (!first || one.at < first.at || (one.at === first.at && one.order < first.order)) first = one;
		}
		return first;
	}

	/** Makes this the clock of the real process, until the returned function is called. */
	install(): () => void {
		const { now, date, sleep, random } = systemClock;
		const { MessageChannel } = globalThis;
		const realNow = performance.now;
		Object.assign(systemClock, { now: this.now, date: this.date, sleep: this.sleep, random: this.random });
		// Only `Turns` calls it. Long work takes several turns, and their number differs from world to world.
		performance.now = () => (this.stepTime += this.random() * LONGEST_STEP_MS);
		globalThis.MessageChannel = this.messageChannel();
		return () => {
			Object.assign(systemClock, { now, date, sleep, random });
			Object.assign(globalThis, { MessageChannel });
			performance.now = realNow;
		};
	}

	/** Returns a replacement for the channel with which `nextTurn` waits for the next turn of the event loop. */
	private messageChannel(): typeof MessageChannel {
		const during = async (work: Promise<void>) => await this.during(work);
		return class {
			port1 = { once: (_event: string, listener: () => void) => (this.listener = listener), close: () => {} };
			port2 = { postMessage: () => void during(nextImmediate().then(() => this.listener())) };
			private listener = () => {};
		} as unknown as typeof MessageChannel;
	}
}

async function nextImmediate(): Promise<void> {
	await new Promise<void>((resolve) => setImmediate(resolve));
}
