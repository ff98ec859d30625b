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
	/** Whether docs/scaling.md promises that it works. */
	isPromised?: boolean;
	isDrawn?: boolean;
}

/** What docs/scaling.md promises: shares of the limit, and of the requests sent, and within how many seconds. */
export const PROMISES = { used: 0.9, refused: 0.03, settledAfter: 60 };

const MINUTE_MS = 60_000;
const START = 'All start at once';
const LATE = 'They start within a minute';
const RESTART = 'A third restarts';
const HALVES = 'The limit halves, and doubles';
const PROMISED = [START, LATE, RESTART];

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
			name: START,
			settings: base,
			periods: [fromTo(60, 300)],
			compared: everybody,
		},
		{
			name: LATE,
			settings: { ...base, startsWithinMs: MINUTE_MS, seconds: 360 },
			periods: [fromTo(120, 360)],
			compared: everybody,
		},
		{
			name: RESTART,
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
			name: HALVES,
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

/** The scenarios of `npm run bench:fleet`. A limit that halves is drawn, under the first limit of ten processes' worth. */
export function chosenScenarios(): Scenario[] {
	const chosen = [
		...[10, 100].flatMap((processes) => LIMITS[processes].map((limit) => ({ processes, limit }))),
		...LIMITS[1_000].slice(0, 2).map((limit) => ({ processes: 1_000, limit })),
	];
	return chosen.flatMap(({ processes, limit }) => {
		const all = scenariosOf(processes, limit);
		const isDrawn = limit.requests === processes;
		const scenarios =
			processes < 1_000 ? all : all.filter(({ name }) => name === START || (isDrawn && name === HALVES));
		return scenarios.map((scenario) => ({
			...scenario,
			isDrawn: isDrawn && limit.kind === 'bucket' && scenario.name === HALVES,
			isPromised: PROMISED.includes(scenario.name) && isPromisedFor(processes, limit),
		}));
	});
}

/** The scenarios of a fleet for which docs/scaling.md promises something. */
export function promisedScenariosOf(processes: number, limit: LimitSettings): Scenario[] {
	return isPromisedFor(processes, limit)
		? scenariosOf(processes, limit).filter(({ name }) => PROMISED.includes(name))
		: [];
}

/** A limit per second of at least one request for each process. */
function isPromisedFor(processes: number, { requests, perMs }: LimitSettings): boolean {
	return perMs === 1_000 && requests >= processes;
}
