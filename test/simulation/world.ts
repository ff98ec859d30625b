import type { Fault } from './fault';

/** The purpose of a request. */
export type Stage =
	/** It is charged for. */
	| 'paid'
	/** It asks for the progress of a song. */
	| 'poll'
	/** It downloads a file. */
	| 'file';

/** A fault that affects one request of a row. */
export interface PlannedFault {
	row: number;
	stage: Stage;
	/** The position among the row's requests in this stage, from 0. */
	nth: number;
	fault: Fault;
}

/** A period in which nothing answers at an address of the gateway, in milliseconds since the beginning of the world. */
export interface Outage {
	address: 'first' | 'second';
	from: number;
	to: number;
}

/** An action of a person, or of n8n, on a running execution. */
export interface Interference {
	/** The execution, from 0. */
	execution: number;
	/** At which moment of it, from 1: before a sleeper wakes, or when the node calls n8n. */
	moment: number;
	what:
		/** Somebody stops it. n8n drops the data of the running node. */
		| 'stop'
		/** It exceeds the time limit of the workflow. n8n keeps the data of the node. */
		| 'timeout'
		/** The process is killed. */
		| 'kill';
}

/** The answers in which a gateway reports usage; by default, all of them. */
export interface Reporting {
	/** The distance between answers that report usage, beginning with the first one; 0 for none. */
	every: number;
	/** The usage that the other answers report. */
	others: 'nothing' | 'zeros' | 'tokens';
}

/** The form in which a gateway refuses requests that exceed its limits; by default, 429 with `retry-after-ms`. */
export interface Clothes {
	status: number;
	code: string;
	/** The form of the header `x-ratelimit-reset-requests`, which says how long to wait. */
	resets: 'duration' | 'seconds' | 'milliseconds';
}

/** Options of the node, by their internal names. */
export interface WorldOptions {
	parallelRequests?: number;
	maxRetries?: number;
	maxRateLimitRetries?: number;
	timeoutSeconds?: number;
	retryUnclear?: boolean;
	payAgain?: boolean;
}

/** Everything that a seed decides. */
export interface World {
	seed: number;
	/** The name of the subject in `subjects.ts`. */
	subject: string;
	rows: number;
	options: WorldOptions;
	/** The limits of Spending Limits; 0 for no limit. */
	maxRequests: number;
	maxTokens: number;
	maxCost: number;
	/** The first execution with some edited texts, because somebody has changed them before Retry. */
	editedFrom: number | undefined;
	/** The setting On Error of the node. */
	continuesOnFail: boolean;
	/** The number of tries that the node has in an execution; 1 without Retry On Fail. */
	tries: number;
	hasIdempotencyKeys: boolean;
	hasSecondAddress: boolean;
	/** The shortest and the longest time that the gateway takes for an answer, in milliseconds. */
	latencyMs: [number, number];
	/** The number of requests that the gateway accepts in a second. */
	limit?: { requests: number; says: 'none' | 'seconds' | 'ms' };
	clothes?: Clothes;
	reporting?: Reporting;
	/** The row whose songs fail at the vendor, as long as faults occur. */
	failingSong?: number;
	faults: PlannedFault[];
	outages: Outage[];
	interferences: Interference[];
	/** The number of times that somebody presses Retry while faults occur. One more Retry follows without them. */
	retries: number;
	/** The pause between two executions, in milliseconds. */
	pauseMs: number;
	/** True if n8n has deleted all files before the last Retry. */
	deletesFiles: boolean;
}

/** Returns a world in which nothing goes wrong. */
export function peaceful(subject: string, rows: number): World {
	return {
		seed: 0,
		subject,
		rows,
		options: {},
		maxRequests: 0,
		maxTokens: 0,
		maxCost: 0,
		editedFrom: undefined,
		continuesOnFail: false,
		tries: 1,
		hasIdempotencyKeys: false,
		hasSecondAddress: false,
		latencyMs: [5, 50],
		faults: [],
		outages: [],
		interferences: [],
		retries: 0,
		pauseMs: 0,
		deletesFiles: false,
	};
}

/** Describes a world for people, by its differences from one in which nothing goes wrong. */
export function inWords(world: World): string {
	const plain = peaceful('', 0);
	return (Object.keys(world) as Array<keyof World>)
		.map((name) => [name, JSON.stringify(world[name]), JSON.stringify(plain[name])])
		.filter(([, value, usual]) => value !== usual)
		.map(([name, value]) => `  ${name}: ${value}`)
		.join('\n');
}
