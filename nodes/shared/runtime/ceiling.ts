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
	const read = (definition: typeof MAX_RUN_COST) => {
		const value = fields[definition.name];
		return value === undefined || value === '' || value === null ? 0 : toNumber(value, definition);
	};
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

/** The right to send one request. */
export interface Reservation {
	/** The request may have been paid for. */
	paid: () => void;
	/** It was certainly not; has no effect after {@link paid}. */
	release: () => void;
}

/** Stops a run before it spends more than it may. */
export class Ceiling {
	/** Requests that are paid for, and those in progress. */
	private paidRequests = 0;
	private inProgress = 0;
	/** What is known of their cost beforehand. */
	private paidAhead = 0;
	private reservedAhead = 0;
	private waiting: Array<() => void> = [];

	constructor(
		private readonly limits: Limits,
		private readonly prices: Prices,
		private readonly ledger: Ledger,
	) {}

	/**
	 * Waits until a request certainly stays within the limits, or certainly exceeds them.
	 *
	 * @param characters of the text that the request is charged by
	 * @throws GatewayFailure (kind `ceiling`) when a limit is reached
	 */
	async reserve(characters = 0): Promise<Reservation> {
		const ahead = this.prices.request + (characters / 1000) * this.prices.thousandCharacters;
		while (this.exceeds(ahead)) {
			if (this.inProgress === 0 || this.isSpent(ahead)) throw this.failure();
			// A request in progress may turn out not to be paid.
			await new Promise<void>((resolve) => this.waiting.push(resolve));
		}
		this.inProgress += 1;
		this.reservedAhead += ahead;
		let isOpen = true;
		const end = (isPaid: boolean) => {
			if (!isOpen) return;
			isOpen = false;
			this.inProgress -= 1;
			this.reservedAhead -= ahead;
			if (isPaid) {
				this.paidRequests += 1;
				this.paidAhead += ahead;
			}
			for (const wake of this.waiting.splice(0)) wake();
		};
		return { paid: () => end(true), release: () => end(false) };
	}

	/** Whether another request might exceed a limit. */
	private exceeds(ahead: number): boolean {
		const { requests = Infinity, cost = Infinity } = this.limits;
		const isOver = this.paidRequests + this.inProgress + 1 > requests;
		return isOver || this.spent + this.reservedAhead + ahead > cost || this.isSpent(ahead);
	}

	/** Whether another request exceeds a limit, whatever becomes of those in progress. */
	private isSpent(ahead: number): boolean {
		const { requests = Infinity, tokens = Infinity, cost = Infinity } = this.limits;
		const { input, output } = this.ledger.tokens;
		const hasCost = this.spent + ahead > cost || this.spent >= cost;
		return this.paidRequests + 1 > requests || input + output >= tokens || hasCost;
	}

	/** The cost so far, as reported, or else at the prices of the user. */
	private get spent(): number {
		const { unpriced, cost } = this.ledger;
		const { millionInputTokens, millionOutputTokens } = this.prices;
		const ofTokens = (unpriced.input * millionInputTokens + unpriced.output * millionOutputTokens) / 1e6;
		return cost + ofTokens + (cost > 0 ? 0 : this.paidAhead);
	}

	private failure() {
		const { requests = Infinity, tokens = Infinity, cost = 0 } = this.limits;
		const { input, output } = this.ledger.tokens;
		if (this.paidRequests + 1 > requests) return ceilingFailure(MAX_RUN_REQUESTS, `${requests}`);
		if (input + output >= tokens) return ceilingFailure(MAX_RUN_TOKENS, `${tokens}`);
		return ceilingFailure(MAX_RUN_COST, `${cost}`);
	}
}
