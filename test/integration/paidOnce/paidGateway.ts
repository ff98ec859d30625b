import type { Emulator } from '../../../emulator';
import { markOf, type PaidCase, ROWS } from './rows';

/** The gateway of a case, and how often it was paid for each row. */
export class PaidGateway {
	/** Whether songs are finished at once. */
	hasQuickSongs = false;

	constructor(
		readonly paidCase: PaidCase,
		readonly emulator: Emulator,
	) {}

	/** Refuses the requests for these rows, always or the given number of times, and accepts all others. */
	refuse(rows: number[], times: number | 'always' = 'always'): void {
		const { route, rule, refusedText = markOf } = this.paidCase;
		const music = this.hasQuickSongs ? { music: { pendingMs: 0, processingMs: 0 } } : {};
		const faults = rows.map((row) => ({
			kind: 'status' as const,
			status: 400,
			when: refusedText(row),
			times,
		}));
		if (this.hasQuickSongs) this.emulator.behaviour.set('/v1/music/*', music);
		this.emulator.behaviour.set(route, { ...music, ...rule, faults });
	}

	accept(): void {
		this.refuse([]);
	}

	/** How often each row was paid for: requests that were carried out, whatever became of the answer. */
	paid(rows = ROWS): number[] {
		const contents = this.emulator.journal
			.entries(this.paidCase.route)
			.filter(({ carriedOut }) => carriedOut)
			.map(({ body, query }) => JSON.stringify([body, query]));
		return rows.map((row) => contents.filter((content) => content.includes(markOf(row))).length);
	}

	/** What {@link paid} is when every row was paid for once, or the given number of times. */
	expected(times: Record<number, number> = {}, rows = ROWS): number[] {
		return rows.map((row) => (times[row] ?? 1) * (this.paidCase.perRow ?? 1));
	}

	async close(): Promise<void> {
		await this.emulator.close();
	}
}
