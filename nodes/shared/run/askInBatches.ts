import { toFailure, type GatewayFailure } from '../errors/gatewayFailure';
import type { GatewayClient, GatewayRequest } from '../send/client';
import { laneKeyOf } from '../send/lanes';
import { namedLimit } from '../errors/namedLimit';
import { type Capacity, runPool } from './pool';

/** What became of one text. */
export type Outcome<T> = { value: T } | { failure: GatewayFailure };

/** The part of a run's concurrency that texts which share settings may use. */
export interface PoolShare {
	capacity: Capacity;
	/** Whether to send nothing more once a text has failed. */
	stopAtFailure: boolean;
}

/** What an earlier try has learned about single texts. */
export interface KnownTexts<T> {
	find(text: string): Promise<Outcome<T> | undefined>;
	/** Called for each text that succeeds. */
	keep(text: string, value: T): Promise<void>;
	/** Called for each text that fails. */
	failed(text: string, failure: GatewayFailure): Promise<void>;
}

/** How texts are divided into requests. */
export interface BatchSettings extends PoolShare {
	/** Maximum number of texts per request. */
	batchSize: number;
	/** How many texts the gateway takes in one request, as far as it has said or shown in this run or in earlier ones. */
	limit?: { recall(): number | undefined; note(most: number): void };
}

/** Where it is remembered how many texts the gateway takes in requests like this one. */
export function limitOf(
	{ learned }: Pick<GatewayClient, 'learned'>,
	{ endpoint, json }: Pick<GatewayRequest, 'endpoint' | 'json'>,
): BatchSettings['limit'] {
	const about = `texts per request: ${laneKeyOf(endpoint, json)}`;
	return { recall: () => learned.recall<number>(about), note: (most) => learned.note(about, most) };
}

/** A text that every gateway accepts. */
const HARMLESS_TEXT = 'text';

/** The statuses of a rejection that a single text can cause: by its content or its length. */
const SINGLE_TEXT_STATUSES = [400, 413, 422];

/**
 * Asks about many texts, several per request. Equal texts are sent once. A request that the gateway rejects is divided
 * as the gateway says, or halved until only the texts that it rejects fail. How many texts it takes is remembered.
 *
 * @param ask sends one request and returns an outcome for each of its texts, in order; a failure that it throws
 *   applies to all of them
 * @param known texts that need not be asked about. They leave their request, so that an earlier request that failed
 *   is repeated with the same texts.
 * @returns an outcome per text, in order; undefined for a text that was not sent because another one had failed
 */
export async function askInBatches<T>(
	texts: string[],
	ask: (texts: string[]) => Promise<Array<Outcome<T>>>,
	settings: BatchSettings,
	known?: KnownTexts<T>,
): Promise<Array<Outcome<T> | undefined>> {
	const distinct = [...new Set(texts)];
	const outcomes = new Map<string, Outcome<T>>();
	const run = new BatchRun(ask, outcomes, settings, known);
	const batches = chunk(distinct, run.most);
	await runPool(batches, async (batch) => await run.settle(await run.withoutKnown(batch)), {
		capacity: settings.capacity,
		stopsAt: () => run.stopped,
	});
	return texts.map((text) => outcomes.get(text));
}

/** Splits a list into lists of `size` entries; the last one may be shorter. */
export function chunk<Entry>(entries: Entry[], size: number): Entry[][] {
	const step = Math.max(1, Math.floor(size));
	return Array.from({ length: Math.ceil(entries.length / step) }, (_, index) =>
		entries.slice(index * step, (index + 1) * step),
	);
}

class BatchRun<T> {
	private failed = false;
	private succeeded = false;
	private textsAreTheCause: Promise<boolean> | undefined;
	/** The first batch that is halved, which may show how many texts the gateway takes. */
	private firstHalving: Promise<void> | undefined;
	/** How many requests were rejected for a reason that may be the number of their texts. */
	private rejections = 0;
	/** Maximum number of texts per request. */
	most: number;

	constructor(
		private readonly ask: (texts: string[]) => Promise<Array<Outcome<T>>>,
		private readonly outcomes: Map<string, Outcome<T>>,
		private readonly settings: BatchSettings,
		private readonly known: KnownTexts<T> | undefined,
	) {
		const { batchSize, limit } = settings;
		this.most = Math.min(batchSize, limit?.recall() ?? batchSize);
	}

	get stopped(): boolean {
		return this.settings.stopAtFailure && this.failed;
	}

	/** Records the outcomes of the texts that are known, and returns the others. */
	async withoutKnown(texts: string[]): Promise<string[]> {
		if (!this.known) return texts;
		const unknown: string[] = [];
		for (const text of texts) {
			const outcome = await this.known.find(text);
			if (outcome) this.outcomes.set(text, outcome);
			else unknown.push(text);
		}
		return unknown;
	}

	/** Records an outcome for each of these texts; it never rejects. */
	async settle(texts: string[], isFirstHalving = false): Promise<void> {
		if (this.stopped || texts.length === 0) return;
		if (texts.length > this.most) {
			for (const part of chunk(texts, this.most)) await this.settle(part, isFirstHalving);
			return;
		}
		const result = await this.attempt(texts);
		if (Array.isArray(result)) {
			this.succeeded = true;
			for (const [index, text] of texts.entries()) await this.record(text, result[index]);
			return;
		}
		const isDivisible = texts.length > 1 && oneTextMayBeTheCause(result);
		const most = isDivisible ? mostEntriesIn(result) : undefined;
		if (most !== undefined && most < texts.length) {
			this.limitTo(most);
			await this.settle(texts, isFirstHalving);
		} else if (isDivisible && (await this.halvingHelps())) {
			await this.divide(texts, result, isFirstHalving);
		} else {
			for (const text of texts) await this.record(text, { failure: result });
		}
	}

	/** Halves a rejected batch. While the first one may still show what the gateway takes, the others wait. */
	private async divide(texts: string[], failure: GatewayFailure, isFirstHalving: boolean): Promise<void> {
		if (this.firstHalving && !isFirstHalving) {
			await this.firstHalving;
			if (texts.length > this.most) return await this.settle(texts);
			return await this.halve(texts, failure, false);
		}
		const halving = this.halve(texts, failure, true);
		this.firstHalving ??= halving;
		await halving;
	}

	private async halve(texts: string[], failure: GatewayFailure, isFirst: boolean): Promise<void> {
		const middle = Math.ceil(texts.length / 2);
		if (isAboutNumber(failure)) this.rejections += 1;
		await this.settle(texts.slice(0, middle), isFirst);
		await this.settle(texts.slice(middle), isFirst);
		const isAccepted = texts.every((text) => 'value' in (this.outcomes.get(text) ?? {}));
		// Each of its texts is accepted, so there were too many; a single rejection may have passed.
		if (isAccepted && isAboutNumber(failure) && this.rejections > 1) this.limitTo(middle);
	}

	private limitTo(most: number): void {
		if (most >= this.most) return;
		this.most = most;
		this.settings.limit?.note(most);
	}

	private async attempt(texts: string[]): Promise<Array<Outcome<T>> | GatewayFailure> {
		try {
			return await this.ask(texts);
		} catch (error) {
			return toFailure(error);
		}
	}

	private async record(text: string, outcome: Outcome<T>): Promise<void> {
		this.outcomes.set(text, outcome);
		this.failed ||= 'failure' in outcome;
		if ('value' in outcome) await this.known?.keep(text, outcome.value);
		else await this.known?.failed(text, outcome.failure);
	}

	/**
	 * Whether halving can help. With a wrong model or setting, every request fails, and halving would only multiply the
	 * requests. So as long as none has succeeded, a harmless text is tried first.
	 */
	private async halvingHelps(): Promise<boolean> {
		if (this.succeeded) return true;
		this.textsAreTheCause ??= this.attempt([HARMLESS_TEXT]).then(
			(result) => Array.isArray(result) || !oneTextMayBeTheCause(result),
		);
		return await this.textsAreTheCause;
	}
}

function oneTextMayBeTheCause({ kind, facts }: GatewayFailure): boolean {
	return kind === 'request' && facts.status !== undefined && SINGLE_TEXT_STATUSES.includes(facts.status);
}

/** The number of texts that a gateway takes in one request, in its own words. */
function mostEntriesIn({ facts }: GatewayFailure): number | undefined {
	const limit = namedLimit(facts);
	return limit?.unit === 'entries' ? limit.most : undefined;
}

/** How gateways say that the texts of a request are too long together, whatever their number. */
const ABOUT_LENGTH = /token|character|length|too (long|large)|payload|字符|长度|过长|超长/i;

/** Whether a rejection may be about the number of texts, rather than their length. */
function isAboutNumber({ facts }: GatewayFailure): boolean {
	return facts.status !== 413 && !ABOUT_LENGTH.test(facts.gatewayMessage ?? '');
}
