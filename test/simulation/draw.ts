import { seededRandom } from '../unit/seededRandom';
import type { Fault } from './fault';
import { COST } from './emulation';
import { type Subject, subjects } from './subjects';
import type { Clothes, Interference, Outage, PlannedFault, Stage, World, WorldOptions } from './world';

/** Draws random values from a seed. */
class Lots {
	private readonly random: () => number;

	constructor(seed: number) {
		this.random = seededRandom(seed);
	}

	/** Returns a whole number between two limits, both inclusive. */
	whole(from: number, to: number): number {
		return from + Math.floor(this.random() * (to - from + 1));
	}

	chance(part: number): boolean {
		return this.random() < part;
	}

	one<T>(choices: readonly T[]): T {
		return choices[this.whole(0, choices.length - 1)];
	}

	/** Returns a value with some probability, otherwise undefined. */
	maybe<T>(part: number, value: () => T): T | undefined {
		return this.chance(part) ? value() : undefined;
	}
}

/** Returns the world of a seed. */
export function drawWorld(seed: number): World {
	const lots = new Lots(seed);
	const subject = lots.one(subjects);
	const rows = drawRows(lots);
	const continuesOnFail = lots.chance(0.3);
	const hasSecondAddress = lots.chance(0.3);
	const retries = lots.whole(0, 2);
	const limit = lots.maybe(0.15, () => ({
		requests: lots.whole(1, 10),
		says: lots.one(['none', 'seconds', 'ms'] as const),
	}));
	const world: World = {
		seed,
		subject: subject.name,
		rows,
		options: drawOptions(lots),
		...drawSpendingLimits(lots, subject, rows),
		editedFrom: lots.maybe(0.1, () => lots.whole(1, 2)),
		continuesOnFail,
		tries: lots.maybe(0.25, () => lots.whole(2, 3)) ?? 1,
		hasIdempotencyKeys: lots.chance(0.25),
		hasSecondAddress,
		latencyMs: lots.one([
			[5, 50],
			[50, 400],
			[200, 2_500],
		]),
		limit,
		faults: drawFaults(lots, subject, rows),
		outages: drawOutages(lots, hasSecondAddress),
		interferences: drawInterferences(lots, rows, retries),
		retries,
		pauseMs: lots.one([0, 1_000, 20 * 60_000]),
		deletesFiles: lots.chance(0.1),
	};
	// These are drawn last, so that seeds that failed earlier still give the same worlds.
	const clothes = lots.maybe(0.2, () => drawClothes(lots));
	const reporting = lots.maybe(world.maxTokens + world.maxCost > 0 ? 0.6 : 0.05, () => ({
		every: lots.one([0, 2, 3, 10, 1_000]),
		others: lots.one(['nothing', 'zeros', 'tokens'] as const),
	}));
	const failingSong = subject.stages.includes('poll')
		? lots.maybe(0.3, () => lots.whole(0, rows - 1))
		: undefined;
	// If nobody could read its submission, the first Retry gets the same song with the same key, and only the next one another.
	const needsTwoRetries =
		world.hasIdempotencyKeys &&
		world.faults.some(({ row, stage }) => row === failingSong && stage === 'paid');
	return { ...world, clothes, reporting, failingSong: needsTwoRetries ? undefined : failingSong };
}

/** Draws a way of refusing, as public services do (`nodes/shared/failure/meaning.ts`, `waits.ts`). */
function drawClothes(lots: Lots): Clothes {
	const [status, code] = lots.one([
		[400, 'ThrottlingException'],
		[400, 'rate_limit_exceeded'],
		[403, 'rate_limit_error'],
		[429, 'rate_limit_exceeded'],
	] as const);
	return { status, code, resets: lots.one(['duration', 'seconds', 'milliseconds'] as const) };
}

function drawRows(lots: Lots): number {
	const size = lots.whole(1, 100);
	if (size <= 90) return lots.whole(1, 12);
	return size <= 99 ? lots.whole(13, 40) : lots.whole(41, 150);
}

function drawOptions(lots: Lots): WorldOptions {
	const drawn: WorldOptions = {
		parallelRequests: lots.maybe(0.6, () => lots.one([1, 2, 3, 5, 10])),
		maxRetries: lots.maybe(0.5, () => lots.whole(0, 3)),
		maxRateLimitRetries: lots.maybe(0.3, () => lots.whole(0, 3)),
		timeoutSeconds: lots.one([3, 5, 10, 20]),
		retryUnclear: lots.maybe(0.1, () => true),
		payAgain: lots.maybe(0.05, () => true),
	};
	return Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined));
}

/** Draws limits in requests, tokens, or costs. An agent has no limit for all of its questions together. */
function drawSpendingLimits(
	lots: Lots,
	{ isAgent }: Subject,
	rows: number,
): Pick<World, 'maxRequests' | 'maxTokens' | 'maxCost'> {
	const none = { maxRequests: 0, maxTokens: 0, maxCost: 0 };
	if (isAgent) return none;
	const maxRequests = lots.maybe(0.15, () => lots.whole(1, rows + 1)) ?? 0;
	if (maxRequests > 0) return { ...none, maxRequests };
	const most = lots.whole(1, rows);
	const maxTokens = lots.maybe(0.05, () => most * 40) ?? 0;
	return { ...none, maxTokens, maxCost: lots.maybe(0.05, () => most * COST) ?? 0 };
}

function drawFaults(lots: Lots, subject: Subject, rows: number): PlannedFault[] {
	const density = lots.one([0, 0.05, 0.2, 0.4, 0.8]);
	const isLong = lots.chance(0.3);
	return Array.from({ length: rows }, (_, row) => row).flatMap((row) => {
		if (!lots.chance(density)) return [];
		const stage = lots.one(subject.stages);
		const skipped = lots.chance(0.25) ? lots.whole(1, 2) : 0;
		return Array.from({ length: lots.whole(1, isLong ? 6 : 2) }, (_, nth) => ({
			row,
			stage,
			nth: skipped + nth,
			fault: drawFault(lots, subject, stage),
		}));
	});
}

const REFUSED = [429, 429, 503, 529];
const REJECTED = [400, 401, 403, 404, 422];
const UNCLEAR = [500, 502, 504, 408];
const NOT_CONNECTED = ['refused', 'name', 'handshake', 'certificate', 'swallowed'] as const;
const BODIES = ['error', 'page', 'nothing', 'echo'] as const;

function drawFault(lots: Lots, { isBinary }: Subject, stage: Stage): Fault {
	const at = lots.whole(0, 10) / 10;
	const carriedOut = lots.chance(0.5);
	const body = lots.one(BODIES);
	const draws: Array<() => Fault> = [
		() => ({ kind: 'notConnected', how: lots.one(NOT_CONNECTED) }),
		() => ({
			kind: 'status',
			status: lots.one(REFUSED),
			body,
			retryAfterMs: lots.maybe(0.5, () => lots.one([0, 500, 2_000, 30_000, 700_000])),
			carriedOut: false,
		}),
		() => ({ kind: 'status', status: lots.one(REJECTED), body, carriedOut: false }),
		() => ({
			kind: 'status',
			status: lots.one(UNCLEAR),
			body: lots.one(['page', 'nothing'] as const),
			carriedOut,
		}),
		() => ({ kind: 'status', status: 500, body: lots.one(['error', 'echo'] as const), carriedOut: false }),
		() => ({ kind: 'lost', carriedOut }),
		() => ({ kind: 'silence', carriedOut }),
		() => ({ kind: 'cut', at }),
		() => ({ kind: 'stall', at }),
		() => ({ kind: 'other', body: lots.one(['page', 'nothing'] as const) }),
		() => (isBinary || stage === 'file' ? { kind: 'cut', at } : { kind: 'other', body: 'half' }),
		() => ({ kind: 'errorInside', status: 429, words: 'Rate limit reached' }),
		() => ({ kind: 'errorInside', status: 400, words: 'The prompt was rejected' }),
		() => ({ kind: 'slow', ms: lots.one([500, 2_500, 8_000, 30_000]) }),
		() => ({ kind: 'diskFull' }),
		() => ({
			kind: 'redirect',
			status: lots.one([302, 307, 308] as const),
			to: lots.one(['gateway', 'elsewhere'] as const),
		}),
	];
	return lots.one(draws)();
}

function drawOutages(lots: Lots, hasSecondAddress: boolean): Outage[] {
	if (!lots.chance(hasSecondAddress ? 0.7 : 0.05)) return [];
	const from = lots.one([0, 0, 300, 2_000]);
	const address = lots.one(['first', 'first', 'second'] as const);
	return [{ address, from, to: from + lots.one([500, 5_000, 60_000, 600_000]) }];
}

function drawInterferences(lots: Lots, rows: number, retries: number): Interference[] {
	return Array.from({ length: retries + 1 }, (_, execution) => execution)
		.filter(() => lots.chance(0.15))
		.map((execution) => ({
			execution,
			moment: lots.whole(1, 10 + rows * 8),
			what: lots.one(['stop', 'timeout', 'timeout', 'kill'] as const),
		}));
}
