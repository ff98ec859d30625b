import type { Capacity } from './rule';

/** The places of one capacity: taken while a request is worked on, given on in the order of asking. */
export class Workplaces {
	private taken = 0;
	private readonly waiting: Array<() => void> = [];

	constructor(private readonly capacity: Capacity) {}

	/**
	 * Takes a place, waiting for one when the rule says so.
	 * @returns a function that gives the place back; undefined when there is none and the surplus is refused
	 * @throws Error when the signal aborts while waiting
	 */
	async take(signal: AbortSignal): Promise<(() => void) | undefined> {
		if (this.taken >= this.capacity.concurrent) {
			if (this.capacity.surplus === 'refuse') return undefined;
			await this.turn(signal);
		} else {
			this.taken += 1;
		}
		return () => this.giveBack();
	}

	private async turn(signal: AbortSignal): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			const proceed = () => {
				signal.removeEventListener('abort', giveUp);
				resolve();
			};
			const giveUp = () => {
				this.waiting.splice(this.waiting.indexOf(proceed), 1);
				reject(new Error('The request ended before it was its turn.'));
			};
			this.waiting.push(proceed);
			signal.addEventListener('abort', giveUp, { once: true });
		});
	}

	private giveBack(): void {
		const next = this.waiting.shift();
		if (next) next();
		else this.taken -= 1;
	}
}
