import type { Clock } from '../../../nodes/shared/limiter/clock';
import { CHECK_EVERY_MS } from '../../../nodes/shared/send/timeLimits';

interface Sleeper {
	at: number;
	wake: () => void;
	/** Whether it checks the time limits of requests: it sleeps again as long as one is in progress. */
	isLimitCheck: boolean;
}

/** Spacing of requests. It passes even while requests are in progress. */
const TINY_MS = 5;

const FIRST_DATE = 1_800_000_000_000;

/** A clock for engine tests with real requests: it stops while a request is in progress and jumps otherwise. */
export class MusicClock implements Clock {
	private time = FIRST_DATE;
	private sleepers: Sleeper[] = [];
	private seed = 7;

	now(): number {
		return this.time - FIRST_DATE;
	}

	date = (): number => this.time;

	random(): number {
		this.seed = (this.seed * 1_103_515_245 + 12_345) % 2_147_483_648;
		return this.seed / 2_147_483_648;
	}

	async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) return;
		await new Promise<void>((resolve) => {
			const at = this.time + Math.max(0, milliseconds);
			const leave = () => {
				this.sleepers = this.sleepers.filter((other) => other !== sleeper);
				signal?.removeEventListener('abort', leave);
				resolve();
			};
			const sleeper = { at, wake: leave, isLimitCheck: milliseconds === CHECK_EVERY_MS };
			this.sleepers.push(sleeper);
			signal?.addEventListener('abort', leave);
		});
	}

	/** Lets time pass until `work` is done. */
	async run<T>(work: Promise<T>): Promise<T> {
		let done = false;
		const settle = () => (done = true);
		work.then(settle, settle);
		while (!done) {
			// Several turns, so that the code that handles a response has started its next request or sleep.
			for (let turn = 0; turn < 10 && !done; turn++) await new Promise((resolve) => setImmediate(resolve));
			if (!isWorking()) this.jump();
		}
		return await work;
	}

	private jump(): void {
		const limitChecks = this.sleepers.filter(({ isLimitCheck }) => isLimitCheck);
		const [next] = this.sleepers
			.filter(({ isLimitCheck }) => !isLimitCheck)
			.sort((one, other) => one.at - other.at);
		for (const check of limitChecks) check.wake();
		if (!next || (limitChecks.length > 0 && next.at - this.time > TINY_MS)) return;
		this.time = Math.max(this.time, next.at);
		next.wake();
	}
}

/** Whether the system is working for this process, on files or connections: on a busy machine, that takes many turns. */
function isWorking(): boolean {
	return process
		.getActiveResourcesInfo()
		.some((name) => /^(FSReq|TCPConnect|GetAddrInfo|Write|Shutdown)/.test(name));
}
