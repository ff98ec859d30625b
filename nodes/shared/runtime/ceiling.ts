import type { IDataObject } from 'n8n-workflow';
import { ceilingFailure } from '../errors/errorMessages';
import {
	MAX_RUN_COST,
	MAX_RUN_REQUESTS,
	MAX_RUN_TOKENS,
	PRICE_OF_INPUT,
	PRICE_OF_OUTPUT,
	PRICE_PER_CHARACTERS,
	PRICE_PER_REQUEST,
	RUN_CEILING,
} from '../fields/ceiling';
import type { Ledger } from '../gateway/ledger';
import type { Rest } from '../pacing/semaphore';
import { asRecord } from '../values';
import { toNumber } from './parameterReader';

/** What a run may spend; undefined for no limit. */
export interface Limits {
	requests?: number;
	tokens?: number;
	cost?: number;
}

/** Prices in any currency; 0 where none is known. */
export interface Prices {
	request: number;
	thousandCharacters: number;
	millionInputTokens: number;
	millionOutputTokens: number;
}

/**
 * Reads the option Run Ceiling.
 *
 * @param options of the first item
 * @returns undefined without a limit
 * @throws GatewayFailure (kind `input`) for a value that is not a number
 */
export function readCeiling(options: IDataObject): { limits: Limits; prices: Prices } | undefined {
	const fields = asRecord(asRecord(options[RUN_CEILING.name])?.[RUN_CEILING.group]);
	if (!fields) return undefined;
	// A value that is missing in a row must not take the limit away.
	const read = (definition: typeof MAX_RUN_COST) =>
		definition.name in fields ? toNumber(fields[definition.name], definition) : 0;
	const limits: Limits = {
		requests: read(MAX_RUN_REQUESTS) || undefined,
		tokens: read(MAX_RUN_TOKENS) || undefined,
		cost: read(MAX_RUN_COST) || undefined,
	};
	if (Object.values(limits).every((limit) => limit === undefined)) return undefined;
	const prices = {
		request: read(PRICE_PER_REQUEST),
		thousandCharacters: read(PRICE_PER_CHARACTERS),
		millionInputTokens: read(PRICE_OF_INPUT),
		millionOutputTokens: read(PRICE_OF_OUTPUT),
	};
	return { limits, prices };
}

/** What a run has spent. Plain data, because n8n keeps it for the next try. */
export interface Spending {
	/** Requests that are paid for, and what is known of their cost beforehand. */
	requests: number;
	ahead: number;
	/** Tokens, those of answers without a cost, and reported costs. */
	tokens: number;
	unpricedInput: number;
	unpricedOutput: number;
	cost: number;
}

/** Nothing. */
export function noSpending(): Spending {
	return { requests: 0, ahead: 0, tokens: 0, unpricedInput: 0, unpricedOutput: 0, cost: 0 };
}

/** By which share sums of costs may be off. */
const ROUNDING = 1e-9;

/** The right to send one request. */
export interface Reservation {
	/** The request may have been paid for. */
	paid: () => void;
	/** It was certainly not; has no effect after {@link paid}. */
	release: () => void;
	/** It may have been paid for and is repeated. Throws a GatewayFailure (kind `ceiling`) when a limit is reached. */
	repeat: () => Promise<void>;
}

/** Stops a run before it spends more than it may. */
export class Ceiling {
	private inProgress = 0;
	/** What is known beforehand of the cost of requests in progress. */
	private reservedAhead = 0;
	private readonly before: Spending;
	private waiting: Array<() => void> = [];

	/** @param spending of earlier tries of the run, to which this one is added */
	constructor(
		private readonly limits: Limits,
		private readonly prices: Prices,
		private readonly ledger: Ledger,
		private readonly spending = noSpending(),
	) {
		this.before = { ...spending };
	}

	/** Adds up what the run has spent. */
	count(): Spending {
		const { before, ledger, spending } = this;
		spending.tokens = before.tokens + ledger.tokens.input + ledger.tokens.output;
		spending.unpricedInput = before.unpricedInput + ledger.unpriced.input;
		spending.unpricedOutput = before.unpricedOutput + ledger.unpriced.output;
		spending.cost = before.cost + ledger.cost;
		return spending;
	}

	/**
	 * Waits until a request certainly stays within the limits, or certainly exceeds them.
	 *
	 * @param characters of the text that the request is charged by
	 * @param rest waits without the slot of the item, which a request in progress may need for its next attempt
	 * @throws GatewayFailure (kind `ceiling`) when a limit is reached
	 */
	async reserve(characters = 0, rest: Rest = async (wait) => await wait()): Promise<Reservation> {
		const ahead = this.prices.request + (characters / 1000) * this.prices.thousandCharacters;
		let end = await this.reserveOnce(ahead, rest);
		return {
			paid: () => end(true),
			release: () => end(false),
			repeat: async () => {
				end(true);
				end = await this.reserveOnce(ahead, rest);
			},
		};
	}

	/** @returns what ends the reservation; further calls of it have no effect */
	private async reserveOnce(ahead: number, rest: Rest): Promise<(isPaid: boolean) => void> {
		while (this.exceeds(ahead)) {
			if (this.inProgress === 0 || this.isSpent(ahead)) throw this.failure();
			// A request in progress may turn out not to be paid.
			await rest(async () => await new Promise<void>((resolve) => this.waiting.push(resolve)));
		}
		this.inProgress += 1;
		this.reservedAhead += ahead;
		let isOpen = true;
		return (isPaid) => {
			if (!isOpen) return;
			isOpen = false;
			this.inProgress -= 1;
			this.reservedAhead -= ahead;
			if (isPaid) {
				this.spending.requests += 1;
				this.spending.ahead += ahead;
			}
			for (const wake of this.waiting.splice(0)) wake();
		};
	}

	/** Whether another request might exceed a limit. */
	private exceeds(ahead: number): boolean {
		const { requests = Infinity } = this.limits;
		const isOver = this.spending.requests + this.inProgress + 1 > requests;
		return isOver || this.isMore(this.spent + this.reservedAhead + ahead) || this.isSpent(ahead);
	}

	/** Whether this is more than the cost that is allowed. Sums of decimal fractions are a little off. */
	private isMore(sum: number): boolean {
		const { cost = Infinity } = this.limits;
		return sum > cost * (1 + ROUNDING);
	}

	/** Whether another request exceeds a limit, whatever becomes of those in progress. */
	private isSpent(ahead: number): boolean {
		const { requests = Infinity, tokens = Infinity, cost = Infinity } = this.limits;
		const hasCost = this.isMore(this.spent + ahead) || this.spent >= cost * (1 - ROUNDING);
		return this.spending.requests + 1 > requests || this.count().tokens >= tokens || hasCost;
	}

	/** The cost so far, as reported, or else at the prices of the user. */
	private get spent(): number {
		const { unpricedInput, unpricedOutput, cost, ahead } = this.count();
		const { millionInputTokens, millionOutputTokens } = this.prices;
		const ofTokens = (unpricedInput * millionInputTokens + unpricedOutput * millionOutputTokens) / 1e6;
		return cost + ofTokens + (cost > 0 ? 0 : ahead);
	}

	private failure() {
		const { requests = Infinity, tokens = Infinity, cost = 0 } = this.limits;
		const spent = this.count();
		if (spent.requests + 1 > requests) return ceilingFailure(MAX_RUN_REQUESTS, `${requests}`);
		if (spent.tokens >= tokens) return ceilingFailure(MAX_RUN_TOKENS, `${tokens}`);
		return ceilingFailure(MAX_RUN_COST, `${cost}`);
	}
}

/**
 * The ceiling of a run; undefined without a limit.
 *
 * @param options of the first item
 * @param spending of earlier tries of the run
 * @throws GatewayFailure (kind `input`) for a value that is not a number
 */
export function openCeiling(options: IDataObject, ledger: Ledger, spending?: Spending): Ceiling | undefined {
	const read = readCeiling(options);
	return read && new Ceiling(read.limits, read.prices, ledger, spending);
}
