import type { Fleet, FleetSettings, Happening } from './fleet';
import type { LimitSettings } from './limits';
import type { Period } from './measure';

/** A fleet, and when it is measured. */
export interface Scenario {
	name: string;
	settings: FleetSettings;
	/** Seconds that count: a minute after each change. */
	periods: Period[];
	/** Processes whose shares are compared. */
	compared: (index: number) => boolean;
}

const MINUTE_MS = 60_000;

/** Limits that are shared, by the number of processes. */
export const LIMITS: Record<number, LimitSettings[]> = {
	10: [
		{ kind: 'bucket', requests: 10, perMs: 1_000, retryAfter: true },
		{ kind: 'sliding', requests: 100, perMs: 1_000 },
		{ kind: 'sliding', requests: 600, perMs: MINUTE_MS, retryAfter: true },
	],
	100: [
		{ kind: 'bucket', requests: 100, perMs: 1_000 },
		{ kind: 'fixed', requests: 100, perMs: 1_000, retryAfter: true },
		{ kind: 'sliding', requests: 2_000, perMs: MINUTE_MS },
	],
	1_000: [
		{ kind: 'bucket', requests: 100, perMs: 1_000, retryAfter: true },
		{ kind: 'bucket', requests: 1_000, perMs: 1_000 },
		{ kind: 'sliding', requests: 2_000, perMs: MINUTE_MS },
	],
};

const everybody = () => true;

/** All scenarios for a fleet of this size under this limit. */
export function scenariosOf(processes: number, limit: LimitSettings): Scenario[] {
	const base = { processes, limit, seconds: 300, width: [5, processes > 100 ? 10 : 50] as [number, number] };
	const fromTo = (from: number, to: number) => ({ from, to });
	return [
		{
			name: 'All start at once',
			settings: base,
			periods: [fromTo(60, 300)],
			compared: everybody,
		},
		{
			name: 'They start within a minute',
			settings: { ...base, startsWithinMs: MINUTE_MS, seconds: 360 },
			periods: [fromTo(120, 360)],
			compared: everybody,
		},
		{
			name: 'A third restarts',
			settings: { ...base, seconds: 420, happenings: [at(180, restartThird(processes))] },
			periods: [fromTo(60, 180), fromTo(240, 420)],
			compared: everybody,
		},
		{
			name: 'A third has work for a minute in two',
			settings: { ...base, seconds: 420, happenings: bursts(processes) },
			periods: [fromTo(60, 420)],
			compared: (index) => index % 3 !== 0,
		},
		{
			name: 'One is greedy',
			settings: { ...base, greedy: 1 },
			periods: [fromTo(60, 300)],
			compared: (index) => index < processes - 1,
		},
		{
			name: 'The limit halves, and doubles',
			settings: {
				...base,
				seconds: 540,
				happenings: [at(180, (fleet) => fleet.limit.scale(0.5)), at(360, (fleet) => fleet.limit.scale(1))],
			},
			periods: [fromTo(60, 180), fromTo(240, 360), fromTo(420, 540)],
			compared: everybody,
		},
	];
}

function at(second: number, happen: Happening['happen']): Happening {
	return { atMs: second * 1_000, happen };
}

function restartThird(processes: number) {
	return (fleet: Fleet) => {
		for (let index = 0; index < processes; index += 3) fleet.restart(index);
	};
}

/** A third of the processes has nothing to do in every second minute. */
function bursts(processes: number): Happening[] {
	return [1, 2, 3, 4, 5, 6].map((minute) =>
		at(minute * 60 + 1, (fleet) => {
			for (let index = 0; index < processes; index += 3) fleet.work(index, minute % 2 === 0);
		}),
	);
}
