import { sleep as hostSleep } from 'n8n-workflow';

/** Time and chance, passed in wherever behaviour depends on them, so that tests can drive both. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `milliseconds`, or as soon as `signal` is aborted; it never rejects. */
	sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
	/** A number from 0 (included) to 1 (excluded). */
	random(): number;
}

/**
 * The clock of a running n8n. Newer hosts stop the timer on abort; older ones ignore the signal, so the
 * wait is raced against the signal as well.
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
