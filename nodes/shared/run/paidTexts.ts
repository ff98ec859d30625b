import type { Answer } from '../answer/answerReaders';
import type { LooseFields } from '../answer/looseFields';
import type { GatewayFailure } from '../errors/gatewayFailure';
import { asRecord } from '../plain/values';
import type { RequestOptions } from '../send/client';
import type { Endpoint } from '../send/endpoints';
import { laneKeyOf } from '../send/lanes';
import { askInBatches, type KnownTexts, type Outcome } from './askInBatches';
import type { Call } from './call';
import type { Payments, PaidSlot } from './payments';
import { sharedRest } from './rawAnswer';

/** What is needed of the call of an item whose texts share requests with those of others. */
export type CallForTexts = Pick<Call, 'client' | 'payments' | 'progress' | 'capacity' | 'pool' | 'itemIndex'>;

/** Texts that are sent several per request, and whose results are kept for a retry one by one. */
export interface SharedTexts {
	texts: string[];
	/** The item of each text. */
	items: number[];
	/** Whether they belong to one item, which fails as a whole and does not share results with other items. */
	isOneItem: boolean;
	/** What their requests say besides; results of other requests are not used. */
	request: unknown;
	options: RequestOptions;
}

/** The requests for {@link SharedTexts}. */
export interface TextJob<T, Stored> extends SharedTexts {
	endpoint: Endpoint;
	model: string;
	/** Maximum number of texts per request. */
	batchSize: number;
	/** Asks about some texts. @param send sends one request */
	ask(texts: string[], send: (json: object) => Promise<TextResults<T>>): Promise<TextResults<T>>;
	read(answer: Answer, texts: string[]): Promise<TextsAnswer<T>>;
	/** What is kept of a result; undefined for nothing. */
	toStored(value: OfRequest<T>): Stored | undefined;
	/** The result; undefined if it cannot be read any more. */
	fromStored(stored: Stored): OfRequest<T> | undefined;
}

/** The answer to one request. */
export interface TextsAnswer<T> {
	/** In the order of the texts. */
	outcomes: Array<Outcome<T>>;
	facts: RequestFacts;
	/** The answer without what belongs to single texts. */
	rest: Record<string, unknown>;
	/** The index of the text whose result has the rest, if that is too long to be repeated. */
	first: number;
}

/** What an answer says about a request, as far as it does. */
export interface RequestFacts {
	inputTokens?: number;
	totalTokens?: number;
	cost?: number;
	model?: string;
}

/** The tokens and the cost of a request. @param loose notes what cannot be read */
export function usageOf(body: unknown, loose: LooseFields): RequestFacts {
	const usage = loose.record(asRecord(body)?.usage, 'usage');
	return {
		inputTokens: loose.count(usage.prompt_tokens, 'usage.prompt_tokens'),
		totalTokens: loose.count(usage.total_tokens, 'usage.total_tokens'),
		cost: loose.cost(usage),
	};
}

/** A result with its request, which it shares with others. */
export type OfRequest<T> = T & {
	request: RequestFacts & { texts: number; rest: Record<string, unknown> };
	/** Only with the first result of an answer with a long rest. */
	rest?: Record<string, unknown>;
};

type TextResults<T> = Array<Outcome<OfRequest<T>>>;

/**
 * Sends texts, several per request, unless an earlier try of the run has their results; see {@link askInBatches}.
 *
 * @returns an outcome per text, in order; undefined for a text that was not sent because another one had failed
 */
export async function sendTexts<T, Stored>(
	{ client, payments, progress, capacity, pool }: CallForTexts,
	job: TextJob<T, Stored>,
): Promise<Array<Outcome<OfRequest<T>> | undefined>> {
	const { texts, isOneItem, options, endpoint, model, batchSize } = job;
	const { learned } = client;
	const kept = new KeptTexts<Stored>(payments, { ...job, request: [client.addresses.base, job.request] });
	const aboutLimit = `texts per request: ${laneKeyOf(endpoint, { model })}`;
	const limit = {
		recall: () => learned.recall<number>(aboutLimit),
		note: (most: number) => learned.note(aboutLimit, most),
	};
	const ask = async (some: string[]) =>
		await job.ask(some, async (json) => {
			const items = kept.itemsOf(some);
			const read = async (answer: Answer) => await job.read(answer, some);
			const { value } = await payments.send(items, { ...options, endpoint, json }, read, { keeps: false });
			client.ledger.used(value.facts);
			progress.ended(items);
			return withRequest(value);
		});
	const stopAtFailure = isOneItem || pool.stopsAt !== undefined;
	return await askInBatches(
		texts,
		ask,
		{ batchSize, capacity, stopAtFailure, limit },
		{
			async find(text) {
				const known = await kept.find(text);
				if (!known || 'failure' in known) return known;
				const value = job.fromStored(known.value);
				return value && { value };
			},
			async keep(text, value) {
				const stored = job.toStored(value);
				if (stored !== undefined) await kept.keep(text, stored);
			},
			failed: async (text, failure) => await kept.failed(text, failure),
		},
	);
}

function withRequest<T>({ outcomes, facts, rest, first }: TextsAnswer<T>): TextResults<T> {
	const shared = sharedRest(rest);
	const request = { ...facts, rest: shared.others, texts: outcomes.length };
	return outcomes.map((outcome, index) => {
		if ('failure' in outcome) return outcome;
		const own = index === first && shared.first !== shared.others ? { rest: shared.first } : {};
		return { value: { ...outcome.value, ...own, request } };
	});
}

/** Results of single texts, wherever they were requested together with others. */
export class KeptTexts<T> implements KnownTexts<T> {
	private readonly itemsOfText = new Map<string, number[]>();
	private readonly slots = new Map<string, PaidSlot>();
	private readonly repeatsUnclear: boolean;

	constructor(
		private readonly payments: Payments,
		{ texts, items, request, isOneItem, options }: SharedTexts,
	) {
		this.repeatsUnclear = options.repeatsUnclear ?? false;
		for (const [index, text] of texts.entries()) {
			const known = this.itemsOfText.get(text);
			if (known) known.push(items[index]);
			else this.itemsOfText.set(text, [items[index]]);
		}
		const common = JSON.stringify(request);
		for (const [text, itemsOfText] of this.itemsOfText) {
			const identity = () => `${common}\n${text}`;
			this.slots.set(text, payments.slot(itemsOfText, identity, isOneItem ? 'item' : 'run'));
		}
	}

	/** The items of some texts. */
	itemsOf(texts: string[]): number[] {
		return [...new Set(texts.flatMap((text) => this.itemsOfText.get(text) ?? []))];
	}

	/** The result of an earlier try, or how it has failed if asking about the text again may be paid for twice. */
	async find(text: string): Promise<Outcome<T> | undefined> {
		const slot = this.slots.get(text);
		if (!slot) return undefined;
		const value = await this.payments.find<T>(slot);
		if (value !== undefined) return { value };
		const failure = this.payments.failureOf(slot, this.repeatsUnclear);
		return failure && { failure };
	}

	/** Notes that a text may have been paid for, in whichever request: a later try may send it with other texts. */
	async failed(text: string, failure: GatewayFailure): Promise<void> {
		const slot = this.slots.get(text);
		// What arrived is the same for all texts of a request, and may be large.
		if (slot) await this.payments.noteCharged(slot, failure.with({ partial: undefined }));
	}

	async keep(text: string, value: T): Promise<void> {
		const slot = this.slots.get(text);
		if (slot) await this.payments.keep(slot, value);
	}
}
