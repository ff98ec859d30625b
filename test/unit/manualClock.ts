import type { Clock } from '../../nodes/shared/pacing/clock';

/** A clock that a test sets itself, for code that does not wait. */
export class ManualClock implements Clock {
	private time = 5_000;

	now(): number {
		return this.time;
	}

	date(): number {
		return 1_700_000_000_000 + this.time;
	}

	random(): number {
		return 0;
	}

	async sleep(): Promise<void> {
		await Promise.reject(new Error('Nothing waits here'));
	}

	pass(milliseconds: number): void {
		this.time += milliseconds;
	}
}
