import { seededRandom } from '../seededRandom';
import {
	type Arrival,
	bucket,
	type SimulatedGateway,
	Simulation,
	slidingWindow,
	type Verdict,
} from './rateSimulation';

/** A gateway, and the requests that are sent to it. */
export interface RateProfile {
	name: string;
	/** @param random the random numbers of this run */
	gateway(random: () => number): SimulatedGateway;
	rows: number;
	/** Each sends its part of the rows. A lane learns nothing from another one, like a process. */
	models?: string[];
	/** The time of the best client, in milliseconds. @param atOnce how many requests may be in flight */
	idealMs(atOnce: number): number;
	/** True if the gateway limits a rate, which must then be learned from few refusals. */
	isRate?: boolean;
}

const REFUSAL_MS = 4;

/** The headers with which a gateway says when to try again. */
const REFUSALS: Record<string, (waitMs: number) => Record<string, string>> = {
	'with Retry-After 1': () => ({ 'retry-after': '1' }),
	'without Retry-After': () => ({}),
	'with retry-after-ms': (waitMs) => ({ 'retry-after-ms': String(Math.ceil(waitMs)) }),
};

/** Returns a gateway that blocks a client for a minute after 20 refusals in ten seconds. */
function penaltyBox(judge: (arrival: Arrival) => Verdict) {
	let [refusedAt, blockedUntil]: [number[], number] = [[], 0];
	return (arrival: Arrival): Verdict => {
		if (arrival.at < blockedUntil) return { 'retry-after': '60' };
		const verdict = judge(arrival);
		if (verdict === 'accepted') return verdict;
		refusedAt = [...refusedAt.filter((at) => at > arrival.at - 10_000), arrival.at];
		if (refusedAt.length >= 20) blockedUntil = arrival.at + 60_000;
		return verdict;
	};
}

interface Limit {
	perSecond?: number;
	latencyMs?: number;
	refusalMs?: number;
	refusal?: keyof typeof REFUSALS;
	models?: number;
	isStrict?: boolean;
}

function limited(name: string, limit: Limit = {}): RateProfile {
	const { perSecond = 20, latencyMs = 100, refusalMs = REFUSAL_MS, models = 1, isStrict = false } = limit;
	const refusal = REFUSALS[limit.refusal ?? 'with Retry-After 1'];
	const rows = models > 2 ? 100 * models : 300;
	return {
		name,
		gateway: () => {
			const judge = bucket(perSecond, 1_000, refusal);
			return { judge: isStrict ? penaltyBox(judge) : judge, latencyMs: () => latencyMs, refusalMs };
		},
		rows,
		models: Array.from({ length: models }, (_, index) => `model ${index}`),
		idealMs: (atOnce) =>
			Math.max(((rows - perSecond) * 1000) / perSecond + latencyMs, (rows * latencyMs) / atOnce / models),
		isRate: true,
	};
}

function windowed(
	name: string,
	requests: number,
	perMs: number,
	rows: number,
	isAsked: boolean,
): RateProfile {
	return {
		name,
		gateway: () => ({
			judge: slidingWindow(requests, perMs, isAsked),
			latencyMs: () => 100,
			refusalMs: REFUSAL_MS,
		}),
		rows,
		idealMs: (atOnce) => Math.max((Math.ceil(rows / requests) - 1) * perMs + 100, (rows * 100) / atOnce),
		isRate: true,
	};
}

function randomly(share: number, headers: Record<string, string>): RateProfile {
	const words = 'retry-after' in headers ? 'with Retry-After 1' : 'without Retry-After';
	return {
		name: `${100 * share} % at random, ${words}`,
		gateway: (random) => ({
			judge: () => (random() < share ? headers : 'accepted'),
			latencyMs: () => 200,
			refusalMs: REFUSAL_MS,
		}),
		rows: 400,
		// The time that Automatic takes without refusals.
		idealMs: (atOnce) => Math.max((400 * 200) / atOnce, 1_140),
	};
}

function occupied(
	name: string,
	kind: 'queues' | 'refuses',
	capacity: (answered: number) => number,
	headers: Record<string, string> = {},
): RateProfile {
	return {
		name: `${kind} ${name}`,
		gateway: () =>
			kind === 'queues'
				? { capacity, latencyMs: () => 200 }
				: {
						judge: ({ others, answered }) => (others >= capacity(answered) ? headers : 'accepted'),
						latencyMs: () => 200,
						refusalMs: REFUSAL_MS,
					},
		rows: 400,
		idealMs: (atOnce) => {
			let ms = 0;
			for (let answered = 0; answered < 400; answered++) ms += 200 / Math.min(atOnce, capacity(answered));
			return ms;
		},
	};
}

const changing = (answered: number) => (answered > 130 && answered < 260 ? 8 : 40);

export const PROFILES: RateProfile[] = [
	limited('20/s, Retry-After 1'),
	limited('20/s, Retry-After 1, 20 ms', { latencyMs: 20 }),
	limited('20/s, Retry-After 1, refusals take 100 ms', { refusalMs: 100 }),
	limited('20/s, without Retry-After', { refusal: 'without Retry-After' }),
	limited('20/s, without Retry-After, 20 ms', { refusal: 'without Retry-After', latencyMs: 20 }),
	limited('20/s, without Retry-After, refusals take 100 ms', {
		refusal: 'without Retry-After',
		refusalMs: 100,
	}),
	limited('20/s, retry-after-ms', { refusal: 'with retry-after-ms' }),
	limited('20/s, retry-after-ms, refusals take 100 ms', { refusal: 'with retry-after-ms', refusalMs: 100 }),
	limited('10/s, Retry-After 1, 200 ms', { perSecond: 10, latencyMs: 200 }),
	limited('10/s, Retry-After 1, 20 ms', { perSecond: 10, latencyMs: 20 }),
	limited('20/s, two models', { models: 2 }),
	limited('10/s, two models', { models: 2, perSecond: 10 }),
	limited('20/s, penalty box', { isStrict: true }),
	limited('10/s, penalty box', { isStrict: true, perSecond: 10 }),
	limited('20/s, 4 processes', { models: 4 }),
	limited('20/s, 20 processes', { models: 20 }),
	windowed('20 in any second', 20, 1_000, 300, false),
	windowed('20 in any second, Retry-After', 20, 1_000, 300, true),
	windowed('60 in any minute', 60, 60_000, 150, false),
	windowed('60 in any minute, Retry-After', 60, 60_000, 150, true),
	windowed('200 in 20 s', 200, 20_000, 700, false),
	...[0.05, 0.1, 0.3].flatMap((share) => [randomly(share, {}), randomly(share, { 'retry-after': '1' })]),
	...[4, 20, 60].flatMap((capacity) => [
		occupied(`above ${capacity}`, 'queues', () => capacity),
		occupied(`above ${capacity}`, 'refuses', () => capacity),
	]),
	occupied('above 20, Retry-After 1', 'refuses', () => 20, { 'retry-after': '1' }),
	occupied('above 40, 8, and 40', 'queues', changing),
	occupied('above 40, 8, and 40', 'refuses', changing),
	{
		name: '100 to 2,000 ms',
		gateway: (random) => ({ latencyMs: () => 100 + 1900 * random() }),
		rows: 400,
		idealMs: (atOnce) => (400 * 1050) / Math.min(atOnce, 80),
	},
	{
		name: 'slows down under load',
		gateway: () => ({ latencyMs: ({ others }) => 200 + 10 * others }),
		rows: 400,
		idealMs: (atOnce) => (400 * (200 + 10 * Math.min(atOnce, 80))) / Math.min(atOnce, 80),
	},
];

export interface RateResult {
	/** The time divided by the ideal time. */
	ratio: number;
	/** The share of the sent requests that were refused. */
	refusedShare: number;
	/** The number of rows that failed. */
	lost: number;
}

/** Sends the rows of a profile once. */
export async function tryProfile(
	profile: RateProfile,
	concurrency: number | 'automatic',
	seed: number,
	isBusy: boolean,
): Promise<RateResult> {
	const { rows, models = ['one'] } = profile;
	const simulation = new Simulation(profile.gateway(seededRandom(seed)), seed, isBusy);
	const parts = models.map((model) => simulation.startRows(rows / models.length, { concurrency, model }));
	const runs = await simulation.clock.run(Promise.all(parts));
	const sent = Math.max(...runs.map(({ arrivals }) => arrivals.length));
	const refusedShare = (sent - rows) / sent;
	const tookMs = Math.max(...runs.flatMap(({ doneAfterMs }) => doneAfterMs.map((ms) => ms ?? 0)));
	const lost = runs.reduce((sum, { failures }) => sum + failures.length, 0);
	const ratio = tookMs / profile.idealMs(concurrency === 'automatic' ? Infinity : concurrency);
	return { ratio, refusedShare, lost };
}
