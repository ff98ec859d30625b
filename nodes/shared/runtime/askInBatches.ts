import { toFailure, type GatewayFailure } from '../errors/gatewayFailure';
import type { Concurrency } from '../pacing/semaphore';
import { runPool } from './pool';

/** What became of one text. */
export type Outcome<T> = { value: T } | { failure: GatewayFailure };

/** The part of a run's concurrency that texts which share settings may use. */
export interface PoolShare {
	/** How many requests may be in progress at once. */
	concurrency: Concurrency;
	/** Whether to send nothing more once a text has failed. */
	stopAtFailure: boolean;
}

/** What an earlier try has learned about single texts. */
export interface KnownTexts<T> {
	find(text: string): Promise<Outcome<T> | undefined>;
	/** Called for each text that succeeds. */
	keep(text: string, value: T): Promise<void>;
}

/** A text that every gateway accepts. */
const HARMLESS_TEXT = 'text';

/** The statuses of a rejection that a single text can cause: by its content or its length. */
const SINGLE_TEXT_STATUSES = [400, 413, 422];

/**
 * Asks about many texts, several per request. Equal texts are sent once. A request that the gateway rejects is halved
 * until only the texts that it rejects fail.
 *
 * @param ask sends one request and returns an outcome for each of its texts, in order; a failure that it throws
 *   applies to all of them
 * @param settings `batchSize` is the maximum number of texts per request
 * @param known texts that need not be asked about. They leave their request, so that an earlier request that failed
 *   is repeated with the same texts.
 * @returns an outcome per text, in order; undefined for a text that was not sent because another one had failed
 */
export async function askInBatches<T>(
	texts: string[],
	ask: (texts: string[]) => Promise<Array<Outcome<T>>>,
	settings: PoolShare & { batchSize: number },
	known?: KnownTexts<T>,
): Promise<Array<Outcome<T> | undefined>> {
	const distinct = [...new Set(texts)];
	const outcomes = new Map<string, Outcome<T>>();
	const batches = chunk(distinct, settings.batchSize);
	const run = new BatchRun(ask, outcomes, settings.stopAtFailure, known);
	await runPool(batches, async (batch) => await run.settle(await run.withoutKnown(batch)), {
		concurrency: settings.concurrency,
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

	constructor(
		private readonly ask: (texts: string[]) => Promise<Array<Outcome<T>>>,
		private readonly outcomes: Map<string, Outcome<T>>,
		private readonly stopAtFailure: boolean,
		private readonly known: KnownTexts<T> | undefined,
	) {}

	get stopped(): boolean {
		return this.stopAtFailure && this.failed;
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
	async settle(texts: string[]): Promise<void> {
		if (this.stopped || texts.length === 0) return;
		const result = await this.attempt(texts);
		if (Array.isArray(result)) {
			this.succeeded = true;
			for (const [index, text] of texts.entries()) await this.record(text, result[index]);
		} else if (texts.length > 1 && oneTextMayBeTheCause(result) && (await this.halvingHelps())) {
			const middle = Math.ceil(texts.length / 2);
			await this.settle(texts.slice(0, middle));
			await this.settle(texts.slice(middle));
		} else {
			for (const text of texts) await this.record(text, { failure: result });
		}
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
