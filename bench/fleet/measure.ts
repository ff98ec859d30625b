import type { FleetRecord } from './fleet';

/** Seconds of a simulation. */
export interface Period {
	from: number;
	to: number;
}

/** How well a fleet shares a limit. */
export interface Measured {
	/** Accepted requests, as a share of the limit. */
	used: number;
	/** Refused requests, as a share of those sent. */
	refused: number;
	/** Largest share of a process by the smallest one. */
	unfairness: number;
	/** The same for 90 % of the processes. */
	usualUnfairness: number;
	/** Seconds until nine tenths of the limit are used and three in a hundred are refused, the longest of all periods. */
	settledAfter: number;
	lost: number;
}

const SETTLED = { overSeconds: 20, used: 0.9, refused: 0.03 };

/** @param settlesFor how many seconds before each period something has changed */
export function measure(
	record: FleetRecord,
	periods: Period[],
	compared: (index: number) => boolean,
	settlesFor = 60,
): Measured {
	const counted = periods.flatMap(({ from, to }) => record.seconds.slice(from, to));
	const shares = sharesIn(record, periods.at(-1)!, compared);
	const at = (share: number) => Math.max(1, shares[Math.round(share * (shares.length - 1))]);
	return {
		...usage(counted),
		unfairness: at(1) / at(0),
		usualUnfairness: at(0.95) / at(0.05),
		settledAfter: Math.max(
			...periods.map(({ from, to }) => settling(record, Math.max(0, from - settlesFor), to)),
		),
		lost: record.lost,
	};
}

function usage(seconds: FleetRecord['seconds']): { used: number; refused: number } {
	const sum = (read: (second: FleetRecord['seconds'][number]) => number) =>
		seconds.reduce((total, second) => total + read(second), 0);
	const accepted = sum((second) => second.accepted);
	const refused = sum((second) => second.refused);
	return {
		used: (accepted + sum(({ others }) => others)) / sum(({ limit }) => limit),
		refused: refused / Math.max(1, accepted + refused),
	};
}

/** Accepted requests of each process, the smallest number first. */
function sharesIn(record: FleetRecord, { from, to }: Period, compared: (index: number) => boolean): number[] {
	const counts = record.acceptedOf.slice(from, to);
	const processes = [...counts[0].keys()].filter(compared);
	const totals = processes.map((process) => counts.reduce((total, count) => total + count[process], 0));
	return totals.sort((one, other) => one - other);
}

/** Seconds from a change until the targets hold for the first time. */
function settling(record: FleetRecord, from: number, to: number): number {
	for (let second = from; second + SETTLED.overSeconds <= to; second++) {
		const { used, refused } = usage(record.seconds.slice(second, second + SETTLED.overSeconds));
		if (used >= SETTLED.used && refused <= SETTLED.refused) return second - from;
	}
	return Number.POSITIVE_INFINITY;
}
