/** Which share of a cohort counts as the faster ones. */
const EARLY = 0.4;

/** What a cohort has to know of a request. */
export interface Member {
	/** How many requests were in progress when it was sent, including itself. */
	inProgress: number;
	/** The cohort that it belongs to. */
	cohort?: Cohort;
}

/** Some requests that were sent while about the same number was in progress, and how long their answers took. */
export class Cohort {
	private readonly latencies: number[] = [];
	private members = 0;
	private inProgress = 0;

	/**
	 * @param width how many requests were allowed at once
	 * @param size how many requests it takes
	 * @param from requests that are sent while fewer are in progress do not belong to it
	 */
	constructor(
		readonly width: number,
		readonly size: number,
		private readonly from: number,
	) {}

	/** Takes in a request that is being sent, if it belongs to this cohort. */
	take(member: Member): boolean {
		if (this.isFull || member.inProgress < this.from) return false;
		this.members += 1;
		this.inProgress += member.inProgress;
		member.cohort = this;
		return true;
	}

	/** A member ended without an answer that says something. */
	drop(member: Member): void {
		this.members -= 1;
		this.inProgress -= member.inProgress;
	}

	/** A member was answered after so many milliseconds. */
	answered(latencyMs: number): void {
		this.latencies.push(latencyMs);
	}

	/** Whether all of them are answered. */
	get isComplete(): boolean {
		return this.isFull && this.latencies.length >= this.members;
	}

	/** How many requests were in progress on average, right after these and others that follow at once were sent. */
	get meanInProgress(): number {
		return Math.min(Math.floor(this.width), this.inProgress / this.members + 1);
	}

	/**
	 * The latency in milliseconds that the faster ones do not exceed. It is known as soon as they are answered; before,
	 * undefined.
	 */
	get early(): number | undefined {
		const needed = Math.ceil(this.size * EARLY);
		if (!this.isFull || this.latencies.length < needed) return undefined;
		const sorted = [...this.latencies].sort((one, other) => one - other);
		return sorted[needed - 1];
	}

	/** The mean latency in milliseconds of the answers so far. */
	get mean(): number {
		return sum(this.latencies) / this.latencies.length;
	}

	/** How much the latencies so far vary: their standard deviation as a share of their mean. */
	get variation(): number {
		const { mean } = this;
		const squares = sum(this.latencies.map((latency) => (latency - mean) ** 2));
		return Math.sqrt(squares / Math.max(1, this.latencies.length - 1)) / mean;
	}

	private get isFull(): boolean {
		return this.members >= this.size;
	}
}

function sum(values: number[]): number {
	return values.reduce((total, value) => total + value, 0);
}
