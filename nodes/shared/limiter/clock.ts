import { interruptibleSleep } from '../olderEngines';

/** Time and randomness, passed in wherever behavior depends on them, so that tests can control both. */
export interface Clock {
	/** Milliseconds since some moment in the past. Only differences have a meaning; nobody can set this clock back. */
	now(): number;
	/** Milliseconds since the epoch, where a date is meant: for people, for headers, and for what n8n saves. */
	date(): number;
	/** Resolves after `milliseconds`, or as soon as `signal` is aborted. It never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
	/** A number from 0 (included) to 1 (excluded). */
	random(): number;
}

/** The clock of a running n8n. */
export const systemClock: Clock = {
	now: () => performance.now(),
	date: () => Date.now(),
	random: () => Math.random(),
	async sleep(milliseconds, signal) {
		// A signal of its own, so that no listener stays at one that lives as long as the execution.
		const own = AbortSignal.any(signal ? [signal] : []);
		await interruptibleSleep(milliseconds, own).catch(() => {});
	},
};
