import { randomUUID } from 'crypto';
import type { IBinaryData } from 'n8n-workflow';
import { GatewayFailure, toFailure } from '../failure/failure';
import { mayRepeat, paidFor } from '../failure/verdict';
import type { GatewayAddresses } from '../send/addresses';
import type { GatewayClient } from '../send/client';
import type { GatewayRequest } from '../send/layer';
import { urlsOf } from '../send/endpoints';
import { type Answer, type AnswerReader, withRequestId } from '../answer/answerReaders';
import { hashOf } from '../plain/values';
import { jsonBody, type RequestBody } from '../send/requestBody';
import type { PaidResults } from './paidResults';

export interface PaymentSettings {
	results: PaidResults;
	/** Missing where n8n calls a tool outside of an execution, as its MCP Server Trigger does. */
	executionId: string | undefined;
	/** Ends the run: nothing is sent for items that have not paid for anything yet. */
	stop?: AbortSignal;
	hasFile: (file: IBinaryData) => Promise<boolean>;
}

/** The place where the result of something paid is kept. */
export interface PaidSlot {
	items: number[];
	key: string;
	/** Identifies the request, no matter which items send it. */
	hash: string;
}

export interface PaidForm<T> {
	/** The files that a result refers to. When n8n has deleted one of them, the request is sent again. */
	filesOf?: (value: T) => IBinaryData[];
	/** False when the caller keeps the parts of the result itself. */
	keeps?: boolean;
}

export interface Paid<T> {
	value: T;
	/** True if an earlier try of the run has paid for it. */
	isReused: boolean;
	/** The headers of the answer; undefined for a reused result. */
	headers?: Answer['headers'];
	forget: () => void;
	/** Notes that the result cannot be used. Only a retry that a person starts asks again then. */
	noteUnusable: (failure: GatewayFailure) => Promise<void>;
	/** Keeps something else instead of the result. */
	keep: (value: unknown) => Promise<void>;
}

/** Reads a paid result. If it throws, n8n's Retry asks again, but Retry On Fail does not. */
export async function usable<T, R>(
	{ value, noteUnusable, headers = {} }: Paid<T>,
	read: (value: T) => R | Promise<R>,
): Promise<R> {
	try {
		return await read(value);
	} catch (error) {
		const failure = withRequestId(paidFor(error), { headers });
		// The result does not cause a fault of this package, so a retry reads it once more.
		if (failure.kind !== 'bug') await noteUnusable(failure);
		throw failure;
	}
}

/**
 * The paid requests of one run. When n8n repeats a failed run, a request whose result is known is not sent again, and
 * one whose outcome is unclear only if a person started the repetition.
 */
export class Payments {
	readonly paidItems = new Set<number>();
	readonly reusedItems = new Set<number>();
	private readonly unusableItems = new Set<number>();
	/** Items that were paid for again because n8n had deleted their files. */
	readonly lostItems = new Set<number>();
	/** Counts how often each item of this run has sent the same request, which it may do several times. */
	private readonly uses = new Map<string, Map<number | undefined, number>>();
	/** The hashes of all requests. */
	private readonly requests = new Set<string>();

	constructor(
		private readonly client: GatewayClient,
		private readonly settings: PaymentSettings,
	) {}

	/** Sends a paid request for `items`, unless an earlier try of the run has its result. */
	async send<T>(
		items: number[],
		request: GatewayRequest,
		read: AnswerReader<T>,
		{ filesOf, keeps = true }: PaidForm<T> = {},
	): Promise<Paid<T>> {
		const body = request.json === undefined ? request.body : jsonBody(request.json);
		const slot = this.nextSlot(items, identityOf(request, body, this.client.addresses));
		this.requests.add(slot.hash);
		const handles = {
			forget: () => {
				for (const item of items) this.unusableItems.add(item);
				this.forget(slot);
			},
			noteUnusable: async (failure: GatewayFailure) => await this.noteFailure(slot, failure),
			keep: async (value: unknown) => await this.keep(slot, value),
		};
		const kept = await this.find(slot, filesOf);
		if (kept !== undefined) return { value: kept, isReused: true, ...handles };
		const failed = this.failureOf(slot);
		if (failed && !mayRepeat(failed, request.repeatsUnclear || this.client.usesIdempotencyKeys)) throw failed;
		const { idempotencyKey: known } = this.settings.results.record(slot.key);
		const idempotencyKey = this.client.usesIdempotencyKeys ? (known ?? randomUUID()) : undefined;
		let isPaid = false;
		let headers: Answer['headers'] | undefined;
		const reading: typeof read = async (answer) => {
			({ headers } = answer);
			return await read(answer);
		};
		try {
			const stop = items.some((item) => this.paidItems.has(item)) ? undefined : this.settings.stop;
			const value = await this.client.send({ ...request, body, idempotencyKey, stop }, reading);
			isPaid = true;
			for (const item of items) this.paidItems.add(item);
			if (keeps) await this.keep(slot, value, idempotencyKey);
			else this.forget(slot);
			return { value, isReused: false, headers, ...handles };
		} catch (error) {
			// What this execution has tried before may have been charged for, too.
			const failure = isPaid ? paidFor(error) : toFailure(error).after(failed);
			await this.afterFailure(slot, request, failure, idempotencyKey);
			throw failure;
		}
	}

	/** Takes the next slot for a request, which may be sent several times. @param scope `run` if items share the result */
	nextSlot(
		items: number[],
		identity: string,
		scope: 'item' | 'run' = items.length === 1 ? 'item' : 'run',
	): PaidSlot {
		const hash = hashOf(identity);
		const item = scope === 'item' ? items[0] : undefined;
		const key = item === undefined ? hash : `${item}/${hash}`;
		const uses = this.uses.get(hash) ?? new Map<number | undefined, number>();
		const use = uses.get(item) ?? 0;
		this.uses.set(hash, uses.set(item, use + 1));
		return { items, hash, key: use === 0 ? key : `${key}/${use}` };
	}

	/** Tells whether every item has sent the same requests. @param items the number of items */
	areAlike(items: number): boolean {
		const askers = [...this.requests].map((hash) => this.uses.get(hash)?.size);
		return askers.length > 0 && askers.every((count) => count === items);
	}

	/** The items whose paid results a retry reuses. */
	get keptItems(): Set<number> {
		const { settings } = this.settings.results;
		const paid = settings && !settings.startsAnew ? [...this.paidItems, ...this.reusedItems] : [];
		return new Set(paid.filter((item) => !this.leftOut.has(item) && !this.unusableItems.has(item)));
	}

	/** Adds to a failure of some items that they have paid for something before, if they have. */
	withPayment(failure: GatewayFailure, items: number[]): GatewayFailure {
		const isPaid = items.some((item) => this.paidItems.has(item) || this.reusedItems.has(item));
		return isPaid ? paidFor(failure).judged({ paidBefore: true }) : failure;
	}

	/** Items with results that are too large to be kept for a retry. */
	get leftOut(): Set<number> {
		return this.settings.results.leftOut;
	}

	/** Returns what is kept, whether its files still exist or not. */
	async recall<T>({ key }: Pick<PaidSlot, 'key'>): Promise<T | undefined> {
		const { value } = this.settings.results.record(key);
		return value === undefined ? undefined : await this.client.redactor.fromSaved(value as T);
	}

	/** Finds the result of an earlier try; undefined when there is none, or when n8n has deleted a file of it. */
	async find<T>(slot: PaidSlot, filesOf?: PaidForm<T>['filesOf']): Promise<T | undefined> {
		const value = await this.recall<T>(slot);
		if (value === undefined) return undefined;
		const exist = await Promise.all((filesOf?.(value) ?? []).map(this.settings.hasFile));
		const isComplete = !exist.includes(false);
		for (const item of slot.items) (isComplete ? this.reusedItems : this.lostItems).add(item);
		if (!isComplete) this.forget(slot);
		return isComplete ? value : undefined;
	}

	/** Returns the failure of an earlier try of this execution that is or may be charged for. */
	failureOf({ key }: PaidSlot): GatewayFailure | undefined {
		const { failed } = this.settings.results.record(key);
		if (!failed || failed.executionId !== this.settings.executionId) return undefined;
		return GatewayFailure.fromPlain(failed.failure);
	}

	/** Notes a failure that may have been charged for, so that this execution does not ask again. */
	async noteCharged(slot: PaidSlot, failure: GatewayFailure): Promise<void> {
		if (!failure.isFree) await this.noteFailure(slot, failure);
	}

	/** Keeps a result for a retry, without the key, because n8n saves it with the execution. */
	async keep({ items, key }: Omit<PaidSlot, 'hash'>, value: unknown, idempotencyKey?: string): Promise<void> {
		const { results } = this.settings;
		const clean = results.settings ? await this.client.redactor.toSaved(value) : undefined;
		results.keep(key, clean, items, idempotencyKey);
	}

	/** Forgets a result, so that a retry asks again. */
	forget({ key }: PaidSlot): void {
		this.settings.results.forget(key);
	}

	/** Remembers what a later try must know of a request that failed. */
	private async afterFailure(
		slot: PaidSlot,
		{ endpoint }: GatewayRequest,
		failure: GatewayFailure,
		idempotencyKey: string | undefined,
	): Promise<void> {
		if (!failure.isFree) {
			// With the same key, an unusable answer would come again. That helps only against a second voice or song.
			const keeps = failure.charge !== 'certain' || endpoint.repeatability === 'create';
			await this.noteFailure(slot, failure, keeps ? idempotencyKey : undefined);
		} else if (['request', 'notFound', 'input'].includes(failure.kind)) {
			// Nothing with this content was carried out, which a busy gateway, for example, would not prove.
			this.forget(slot);
		} else if (idempotencyKey !== undefined) {
			this.settings.results.note(slot.key, { idempotencyKey });
		}
	}

	private async noteFailure(
		{ items, key }: PaidSlot,
		failure: GatewayFailure,
		idempotencyKey?: string,
	): Promise<void> {
		for (const item of items) this.unusableItems.add(item);
		const { results, executionId } = this.settings;
		const plain = await this.client.redactor.value(failure.toPlain());
		results.note(key, { failed: { executionId, failure: plain }, idempotencyKey });
	}
}

/** Identifies what a request asks for, without what may differ between tries: keys, boundaries, and limits. */
function identityOf(
	{ endpoint, query }: GatewayRequest,
	body: RequestBody | undefined,
	addresses: GatewayAddresses,
): string {
	return JSON.stringify([endpoint.method, urlsOf(endpoint, addresses)[0], query]) + (body?.identity() ?? '');
}
