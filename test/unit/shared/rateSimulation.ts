import type { Aside } from '../../../nodes/shared/send/layer';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { type GatewayFailure } from '../../../nodes/shared/failure/failure';
import { GatewayClient } from '../../../nodes/shared/send/client';
import { endpoints } from '../../../nodes/shared/send/endpoints';
import { Capacity, runPool } from '../../../nodes/shared/run/pool';
import { FakeClock } from '../fakeClock';
import { FakeContext, type FakeAnswer } from './fakeContext';
import { seededRandom } from '../seededRandom';

/** A request as the simulated gateway sees it. */
export interface Arrival {
	row: number;
	/** The time of the arrival, on the clock of the simulation. */
	at: number;
	/** The number of other requests in progress. */
	others: number;
	/** The number of requests that were answered before. */
	answered: number;
}

/** The decision of a gateway about a request: accepted, or refused with these headers of its 429. */
export type Verdict = 'accepted' | Record<string, string>;

/** A gateway that consists of functions. */
export interface SimulatedGateway {
	judge?(arrival: Arrival): Verdict;
	/** Returns the number of requests that it processes at the same time. The others wait for their turn. */
	capacity?: (answered: number) => number;
	/** Returns the time that an answer takes. Default: 100 ms. */
	latencyMs?: (arrival: Arrival) => number;
	/** The time that a refusal takes. Default: the same as an answer. */
	refusalMs?: number;
}

/** How long a busy event loop stalls at a time, and how long it does not, on average: a quarter of the time. */
const STALL_MS = { least: 20, most: 400, apart: 630 };

/** The clock of an n8n that has other work to do. Whatever is due during a stall happens at its end. */
class StallingClock extends FakeClock {
	private stall = { from: -Infinity, to: this.now() };

	constructor(
		private readonly seeded: () => number,
		isBusy: boolean,
	) {
		super();
		if (!isBusy) this.stall = { from: Infinity, to: Infinity };
	}

	override random(): number {
		return this.seeded();
	}

	override async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		const at = this.now() + Math.max(0, milliseconds);
		while (this.stall.to <= at) {
			const from = this.stall.to - STALL_MS.apart * Math.log(1 - this.random());
			this.stall = { from, to: from + STALL_MS.least + (STALL_MS.most - STALL_MS.least) * this.random() };
		}
		await super.sleep((at > this.stall.from ? this.stall.to : at) - this.now(), signal);
	}

	/** Sleeps without stalls, for time that passes outside n8n. */
	async sleepElsewhere(milliseconds: number): Promise<void> {
		await super.sleep(milliseconds);
	}
}

let credentials = 0;

/** The way in which rows are sent: with a fixed number at the same time, or as many as suit the gateway. */
interface SimulatedRows {
	concurrency: number | 'automatic';
	model?: string;
}

/** Simulates the use of one credential in a running n8n. */
export class Simulation {
	readonly clock: StallingClock;
	private readonly arrivals: Arrival[] = [];
	private inProgress = 0;
	private inService = 0;
	private readonly queue: Array<() => void> = [];
	private readonly latencies: number[] = [];
	private readonly credential: object;

	/** @param seed of jitter and stalls @param isBusy for an n8n whose event loop stalls */
	constructor(
		private readonly gateway: SimulatedGateway,
		seed = 1,
		isBusy = false,
	) {
		this.clock = new StallingClock(seededRandom(seed), isBusy);
		// As many as the reactions to an answer take, so that no time passes in between, however slow the machine is.
		this.clock.turns = 5;
		const apiKey = `simulated-key-${++credentials}`;
		// Without TLS, n8n gets a body as text, not as a stream.
		this.credential = { baseUrl: 'http://gateway.example', apiKey, requestsPerMinute: 0 };
	}

	/** Runs rows in a pool, as a node does. */
	async rows(count: number, settings: SimulatedRows) {
		return await this.clock.run(this.startRows(count, settings));
	}

	/** Runs rows beside other runs; see `FakeClock.run`. For a row that fails, the time is undefined. */
	async startRows(count: number, { concurrency, model = 'one' }: SimulatedRows) {
		const isAutomatic = concurrency === 'automatic';
		const capacity: Capacity = new Capacity(() => client.lanes.width);
		const aside: Aside = () => capacity.setAside();
		const { credential } = this;
		const context = new FakeContext({ credential, respond: async (request) => await this.answer(request) });
		const client: GatewayClient = await GatewayClient.of(context.execute, {
			clock: this.clock,
			mostRequests: isAutomatic ? undefined : concurrency,
			aside,
		});
		const startedAt = this.clock.now();
		const first = this.arrivals.length;
		const answered = this.latencies.length;
		const failures: GatewayFailure[] = [];
		const entries = Array.from({ length: count }, (_, row) => row);
		const doneAfterMs = await runPool(
			entries,
			async (row) => {
				try {
					const json = { model, row };
					await client.json({ endpoint: endpoints.chatCompletions, json }, () => {});
					return this.clock.now() - startedAt;
				} catch (error) {
					failures.push(error as GatewayFailure);
					return undefined;
				}
			},
			{ capacity },
		);
		const latencies = this.latencies.slice(answered);
		// The average time that an answer took.
		const latencyMs = latencies.reduce((sum, latency) => sum + latency, 0) / latencies.length;
		const tookMs = this.clock.now() - startedAt;
		return { doneAfterMs, failures, arrivals: this.arrivals.slice(first), tookMs, latencyMs };
	}

	private async answer({ body }: IHttpRequestOptions): Promise<FakeAnswer> {
		const { row } = JSON.parse(body as string) as { row: number };
		const at = this.clock.now();
		const answered = this.latencies.length;
		const arrival: Arrival = { row, at, others: this.inProgress++, answered };
		this.arrivals.push(arrival);
		const verdict = this.gateway.judge?.(arrival) ?? 'accepted';
		const isAccepted = verdict === 'accepted';
		if (isAccepted) await this.serve(arrival);
		else await this.clock.sleepElsewhere(this.gateway.refusalMs ?? this.gateway.latencyMs?.(arrival) ?? 100);
		this.inProgress -= 1;
		await this.clock.sleep(0);
		if (isAccepted) return {};
		return { status: 429, headers: verdict, body: { error: { message: 'Too many requests' } } };
	}

	/** Processes a request as soon as there is capacity for it. */
	private async serve(arrival: Arrival): Promise<void> {
		const { capacity = () => Number.POSITIVE_INFINITY, latencyMs = () => 100 } = this.gateway;
		if (this.inService < capacity(this.latencies.length)) this.inService += 1;
		else await new Promise<void>((resolve) => this.queue.push(resolve));
		await this.clock.sleepElsewhere(latencyMs(arrival));
		this.inService -= 1;
		this.latencies.push(this.clock.now() - arrival.at);
		while (this.queue.length > 0 && this.inService < capacity(this.latencies.length)) {
			this.inService += 1;
			this.queue.shift()!();
		}
	}
}

/** Returns a gateway's decisions: a token bucket that holds this many requests and is refilled in this time. */
export function bucket(requests: number, perMs: number, refusal: (waitMs: number) => Record<string, string>) {
	let [room, before] = [requests, 0];
	return ({ at }: { at: number }): Verdict => {
		room = Math.min(requests, room + ((at - before) * requests) / perMs);
		before = at;
		if (room < 1) return refusal(((1 - room) * perMs) / requests);
		room -= 1;
		return 'accepted';
	};
}

/** Returns a gateway's decisions: a limit of requests in any window of this length. */
export function slidingWindow(requests: number, perMs: number, retryAfter = false) {
	const accepted: number[] = [];
	return ({ at }: { at: number }): Verdict => {
		while (accepted.length > 0 && accepted[0] <= at - perMs) accepted.shift();
		if (accepted.length < requests) {
			accepted.push(at);
			return 'accepted';
		}
		return retryAfter ? { 'retry-after': String(Math.ceil((accepted[0] + perMs - at) / 1000)) } : {};
	};
}
