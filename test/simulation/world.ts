import type { Fault } from './fault';

/** What a request is for. */
export type Stage =
	/** It is charged for. */
	| 'paid'
	/** It asks how far a song is. */
	| 'poll'
	/** It downloads a file. */
	| 'file';

/** A fault that hits one request of a row. */
export interface PlannedFault {
	row: number;
	stage: Stage;
	/** Which of the row's requests in this stage, from 0. */
	nth: number;
	fault: Fault;
}

/** A time in which nothing answers at an address of the gateway, in milliseconds from the beginning of the world. */
export interface Outage {
	address: 'first' | 'second';
	from: number;
	to: number;
}

/** What a person, or n8n, does to an execution that is running. */
export interface Interference {
	/** Which execution, from 0. */
	execution: number;
	/** At which moment of it, from 1: before a sleeper wakes, or when the node calls n8n. */
	moment: number;
	what:
		/** Somebody stops it: n8n drops what the running node holds. */
		| 'stop'
		/** It exceeds the time limit of the workflow: n8n keeps what the node holds. */
		| 'timeout'
		/** The process is killed. */
		| 'kill';
}

/** Which answers of a gateway report what they have used; by default, all of them do. */
export interface Reporting {
	/** Every how many answers do, beginning with the first one; none if it is 0. */
	every: number;
	/** What the others report. */
	others: 'nothing' | 'zeros' | 'tokens';
}

/** In which clothes a gateway refuses what exceeds its limits; by default, with 429 and `retry-after-ms`. */
export interface Clothes {
	status: number;
	code: string;
	/** How the header `x-ratelimit-reset-requests` says how long to wait. */
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
	/** The name of what the node does; see `subjects.ts`. */
	subject: string;
	rows: number;
	options: WorldOptions;
	/** Spending Limits; 0 for no limit. */
	maxRequests: number;
	maxTokens: number;
	maxCost: number;
	/** From which execution on some texts are others, because somebody has edited them before Retry. */
	editedFrom: number | undefined;
	/** On Error of the node. */
	continuesOnFail: boolean;
	/** How many tries the node has in an execution; 1 without Retry On Fail. */
	tries: number;
	hasIdempotencyKeys: boolean;
	hasSecondAddress: boolean;
	/** How long the gateway takes for an answer, in milliseconds. */
	latencyMs: [number, number];
	/** How many requests the gateway takes in a second. */
	limit?: { requests: number; says: 'none' | 'seconds' | 'ms' };
	clothes?: Clothes;
	reporting?: Reporting;
	/** The row whose songs fail at the vendor, as long as faults go on. */
	failingSong?: number;
	faults: PlannedFault[];
	outages: Outage[];
	interferences: Interference[];
	/** How often somebody presses Retry while the faults go on; afterwards, once without them. */
	retries: number;
	/** How long nobody does anything between two executions, in milliseconds. */
	pauseMs: number;
	/** Whether n8n has deleted all files before the last Retry. */
	deletesFiles: boolean;
}

/** A world in which nothing goes wrong. */
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

/** A world for a person to read: how it differs from one in which nothing goes wrong. */
export function inWords(world: World): string {
	const plain = peaceful('', 0);
	return (Object.keys(world) as Array<keyof World>)
		.map((name) => [name, JSON.stringify(world[name]), JSON.stringify(plain[name])])
		.filter(([, value, usual]) => value !== usual)
		.map(([name, value]) => `  ${name}: ${value}`)
		.join('\n');
}
