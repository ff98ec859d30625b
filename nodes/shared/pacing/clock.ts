import { sleep as hostSleep } from 'n8n-workflow';

/** Time and randomness, passed in wherever behavior depends on them, so that tests can control both. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `milliseconds`, or as soon as `signal` is aborted. It never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
	/** A number from 0 (included) to 1 (excluded). */
	random(): number;
}

/**
 * The clock of a running n8n. Newer versions stop the timer on abort. Older versions ignore the signal, so the wait
 * also races against the signal.
 */
export const systemClock: Clock = {
	now: () => Date.now(),
	random: () => Math.random(),
	async sleep(milliseconds, signal) {
		if (!signal) return await hostSleep(milliseconds);
		if (signal.aborted) return;
		await new Promise<void>((resolve) => {
			const done = () => {
				signal.removeEventListener('abort', done);
				resolve();
			};
			signal.addEventListener('abort', done, { once: true });
			hostSleep(milliseconds, signal).then(done, done);
		});
	},
};
