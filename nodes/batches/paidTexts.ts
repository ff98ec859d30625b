import type { IDataObject } from 'n8n-workflow';
import { type Answer, withRequestId } from '../shared/answer/answerReaders';
import type { OptionalFields } from '../shared/answer/optionalFields';
import { tokensIn, tokensOf } from '../shared/answer/usage';
import { shortMessage } from '../shared/failure/errorBody';
import type { FailureKind } from '../shared/failure/kinds';
import type { GatewayFailure } from '../shared/failure/failure';
import { mayRepeat, paidFor } from '../shared/failure/verdict';
import { asRecord, groupBy, withoutGaps } from '../shared/plain/values';
import type { RequestOptions } from '../shared/send/layer';
import type { Endpoint } from '../shared/send/endpoints';
import { laneKeyOf } from '../shared/send/pace';
import { askInBatches, type KnownTexts, type Outcome } from './askInBatches';
import type { Call } from '../shared/run/call';
import type { PaidSlot } from '../shared/run/payments';
import { repeated } from '../shared/run/operation';

/** The part of a call that sending texts needs, when they may share requests with texts of other items. */
export type CallForTexts = Pick<Call, 'client' | 'payments' | 'progress' | 'pool' | 'itemIndex'>;

/** Texts that are sent several per request, and whose results are kept for a retry one by one. */
export interface TextJob<T, Stored> {
	texts: string[];
	items: number[];
	/** True if they belong to one item, which fails as a whole and does not share results with other items. */
	isOneItem: boolean;
	/** Everything else in their requests. Results of requests that differ in it are not used. */
	request: unknown;
	options: RequestOptions;
	endpoint: Endpoint;
	model: string;
	batchSize: number;
	/** Asks about some texts. @param send sends one request */
	ask(texts: string[], send: (json: object) => Promise<TextResults<T>>): Promise<TextResults<T>>;
	read(answer: Answer, texts: string[]): Promise<TextsAnswer<T>>;
	/** Returns what is kept of a result; undefined for nothing. */
	toStored(value: OfRequest<T>): Stored | undefined;
	/** Returns the result; undefined if it can no longer be read. */
	fromStored(stored: Stored): OfRequest<T> | undefined;
}

interface TextsAnswer<T> {
	outcomes: Array<Outcome<T>>;
	facts: RequestFacts;
	/** The answer without what belongs to single texts. */
	rest: Record<string, unknown>;
	/** The index of the text whose result has the rest, if that is too long to be repeated. */
	first: number;
}

export interface RequestFacts {
	inputTokens?: number;
	totalTokens?: number;
	cost?: number;
	model?: string;
	/** Says what of the answer could not be read. */
	hint?: string;
}

/** Reads the tokens and the cost of a request. @param optional notes what cannot be read */
export function usageOf(body: unknown, optional: OptionalFields): Used {
	const { inputTokens, totalTokens, cost } = tokensIn(asRecord(body)?.usage, optional);
	return { inputTokens: inputTokens ?? undefined, totalTokens: totalTokens ?? undefined, cost };
}

/** The usage of one or several requests. */
type Used = Pick<RequestFacts, 'inputTokens' | 'totalTokens' | 'cost'>;

/** Adds up what several requests have used, as far as the gateway reports it. */
export function sumOf(requests: Iterable<RequestFacts>): Used {
	return [...requests].reduce<Used>((sum, request) => tokensOf(sum, request), {});
}

/** Returns the tokens for the run of a sub-node, as n8n shows them; nothing if the gateway reports none. */
export function tokenUsageOf({ inputTokens, totalTokens, cost }: Used): IDataObject {
	const promptTokens = inputTokens ?? totalTokens;
	if (promptTokens === undefined) return {};
	const counts = { promptTokens, completionTokens: 0, totalTokens: totalTokens ?? promptTokens };
	return { tokenUsage: withoutGaps({ ...counts, cost }) };
}

/** A result with its request, which it shares with others. */
export type OfRequest<T> = T & {
	request: RequestFacts & { texts: number };
	/** The answer without what belongs to single texts; a long one is only with the first result. */
	rest: Record<string, unknown>;
};

type TextResults<T> = Array<Outcome<OfRequest<T>>>;

/** Sends texts, several per request, unless an earlier try of the run has their results; see {@link askInBatches}. */
export async function sendTexts<T, Stored>(
	call: CallForTexts,
	job: TextJob<T, Stored>,
): Promise<Array<Outcome<OfRequest<T>> | undefined>> {
	const { client, payments, progress, pool } = call;
	const { texts, isOneItem, options, endpoint, model } = job;
	const { learned } = client;
	const kept = new KeptTexts<T, Stored>(call, job);
	const aboutLimit = `texts per request: ${laneKeyOf(endpoint, { model })}`;
	const ask = async (some: string[]) =>
		await job.ask(some, async (json) => {
			const items = kept.itemsOf(some);
			const read = async (answer: Answer) => {
				const { facts, outcomes, ...others } = await job.read(answer, some);
				return {
					...others,
					outcomes: outcomes.map((one) =>
						'failure' in one ? { failure: withRequestId(one.failure, answer) } : one,
					),
					facts: { ...facts, cost: facts.cost ?? answer.cost },
				};
			};
			// The harmless text belongs to no item, so nothing else keeps its answer.
			const form = { keeps: items.length === 0 };
			const { value } = await payments.send(items, { ...options, endpoint, json }, read, form);
			try {
				// One item may need further requests.
				if (!isOneItem) progress.ended(items);
				return withRequest(value);
			} catch (error) {
				throw paidFor(error);
			}
		});
	const settings = {
		capacity: pool.capacity,
		repeatsUnclear: options.repeatsUnclear,
		stopAtFailure: isOneItem || pool.stopsAt !== undefined,
		batchSize: Math.min(job.batchSize, learned.recall<number>(aboutLimit) ?? job.batchSize),
		onLimit: (most: number) => learned.note(aboutLimit, most),
	};
	return await askInBatches(texts, ask, settings, kept);
}

function withRequest<T>({ outcomes, facts, rest, first }: TextsAnswer<T>): TextResults<T> {
	const request = { ...facts, texts: outcomes.length };
	const others = repeated(rest);
	return outcomes.map((outcome, index) => {
		if ('failure' in outcome) return outcome;
		return { value: { ...outcome.value, request, rest: index === first ? rest : others } };
	});
}

/** Adds to the failure of one of many texts its name, such as "Document 3", and its beginning if it may be at fault. */
export function namingText(
	failure: GatewayFailure,
	outcomes: Array<Outcome<unknown> | undefined>,
	name: string,
	text: string,
): GatewayFailure {
	if (!mayBeCause(failure, outcomes)) return failure;
	return failure.saying({
		message: `${failure.message} (${name}: “${shortMessage(text.slice(0, NAMED_LENGTH))}”)`,
	});
}

/** Tells whether one of many texts may have caused its failure: not if others have failed in the same way. */
export function mayBeCause(
	{ kind, message, facts }: GatewayFailure,
	outcomes: Array<Outcome<unknown> | undefined>,
): boolean {
	const same = outcomes.filter((one) => one && 'failure' in one && one.failure.message === message);
	const isInTrouble = kind === 'gateway' && facts.status !== 500;
	return same.length <= 1 && !isInTrouble && CAUSED_BY_TEXTS.includes(kind);
}

/** The failures that a text can cause; of the kind `gateway`, only status 500 (see {@link askInBatches}). */
const CAUSED_BY_TEXTS: FailureKind[] = ['request', 'gateway', 'answer'];
/** The number of characters by which a text is named: enough to find it. */
const NAMED_LENGTH = 100;

/** The kept results of the texts of a job, no matter with which other texts they were requested. */
class KeptTexts<T, Stored> implements KnownTexts<OfRequest<T>> {
	private readonly slots = new Map<string, PaidSlot>();

	constructor(
		private readonly call: CallForTexts,
		private readonly job: TextJob<T, Stored>,
	) {
		const { texts, items, isOneItem } = job;
		const { client, payments } = call;
		const common = JSON.stringify([client.addresses.base, job.request]);
		for (const indexes of groupBy([...texts.keys()], (index) => texts[index])) {
			const text = texts[indexes[0]];
			const itemsOfText = indexes.map((index) => items[index]);
			const slot = payments.nextSlot(itemsOfText, `${common}\n${text}`, isOneItem ? 'item' : 'run');
			this.slots.set(text, slot);
		}
	}

	itemsOf(texts: string[]): number[] {
		return [...new Set(texts.flatMap((text) => this.slots.get(text)?.items ?? []))];
	}

	/** Finds the result of an earlier try, or its failure, if asking about the text again may be charged for twice. */
	async find(text: string): Promise<Outcome<OfRequest<T>> | undefined> {
		const slot = this.slots.get(text)!;
		const stored = await this.call.payments.find<Stored>(slot);
		if (stored !== undefined) {
			const value = this.job.fromStored(stored);
			return value && { value };
		}
		// Together with other texts, the text would have another idempotency key.
		const failure = this.call.payments.failureOf(slot);
		const isRepeated = failure && mayRepeat(failure, this.job.options.repeatsUnclear === true);
		return failure && !isRepeated ? { failure } : undefined;
	}

	async keep(text: string, value: OfRequest<T>): Promise<void> {
		const stored = this.job.toStored(value);
		if (stored !== undefined) await this.call.payments.keep(this.slots.get(text)!, stored);
	}

	/** Notes that a text may have been paid for, in any request, because a later try may send it with other texts. */
	async failed(text: string, failure: GatewayFailure): Promise<void> {
		const slot = this.slots.get(text)!;
		this.call.progress.ended(slot.items, [{ failure }]);
		// The partial answer is the same for all texts of a request, and may be large.
		await this.call.payments.noteCharged(slot, failure.with({ partial: undefined }));
	}
}
