import { numberField } from '../shared/fields/field';
import { toFailure, type GatewayFailure } from '../shared/failure/failure';
import { mayRepeat } from '../shared/failure/verdict';
import { namedLimit } from '../shared/failure/statusWords';
import { type Capacity, runPool } from '../shared/run/pool';

export type Outcome<T> = { value: T } | { failure: GatewayFailure };

/** Knows what an earlier try has learned about single texts. */
export interface KnownTexts<T> {
	find(text: string): Promise<Outcome<T> | undefined>;
	keep(text: string, value: T): Promise<void>;
	failed(text: string, failure: GatewayFailure): Promise<void>;
}

interface BatchSettings {
	capacity: Capacity;
	stopAtFailure: boolean;
	batchSize: number;
	/** True to send texts again that may already be paid for. */
	repeatsUnclear?: boolean;
	/** Called when the gateway says that it takes fewer texts at once. */
	onLimit?: (most: number) => void;
}

/** Creates the option for how many texts share a request. */
export function batchSizeOption(size: number, description: string) {
	const typeOptions = { minValue: 1, numberPrecision: 0 };
	return numberField('Batch Size', 'batchSize', size, description, { typeOptions });
}

/** A text that every gateway accepts. */
const HARMLESS_TEXT = 'text';

/** The statuses of a rejection that a single text can cause: by its content or its length. */
const SINGLE_TEXT_STATUSES = [400, 413, 422];

/**
 * Asks about many texts, several per request; equal texts are sent once. A request that the gateway rejects is divided
 * as it says, or halved until only the texts that it rejects fail. Known texts leave gaps in their request, so that a
 * failed one is repeated with the same texts. @returns an outcome per text; undefined for one that was not sent because
 * another had failed
 */
export async function askInBatches<T>(
	texts: string[],
	ask: (texts: string[]) => Promise<Array<Outcome<T>>>,
	settings: BatchSettings,
	known?: KnownTexts<T>,
): Promise<Array<Outcome<T> | undefined>> {
	const run = new BatchRun(ask, settings, known);
	const batches = chunk([...new Set(texts)], settings.batchSize);
	await runPool(batches, async (batch) => await run.settle(batch), settings);
	return texts.map((text) => run.outcomes.get(text));
}

/** Splits a list into lists of `size` entries; the last one may be shorter. */
export function chunk<Entry>(entries: Entry[], size: number): Entry[][] {
	const step = Math.max(1, Math.floor(size));
	return Array.from({ length: Math.ceil(entries.length / step) }, (_, index) =>
		entries.slice(index * step, (index + 1) * step),
	);
}

class BatchRun<T> {
	readonly outcomes = new Map<string, Outcome<T>>();
	private failed = false;
	/** True if the gateway has answered, in this try of the execution or in an earlier one. */
	private hasSucceeded = false;
	/** True if the gateway has answered since its last failure. */
	private isWorking = false;
	private textsAreTheCause: Promise<boolean> | undefined;
	private most: number;
	/** The failures of divided requests, by their texts: they may have been carried out before they were rejected. */
	private readonly earlier = new Map<string, GatewayFailure>();

	constructor(
		private readonly ask: (texts: string[]) => Promise<Array<Outcome<T>>>,
		private readonly settings: BatchSettings,
		private readonly known: KnownTexts<T> | undefined,
	) {
		this.most = settings.batchSize;
	}

	/** Records an outcome for each text of a batch, unless the run stops. It never rejects. */
	async settle(batch: string[]): Promise<void> {
		const unknown: string[] = [];
		for (const text of batch) {
			const outcome = await this.known?.find(text);
			if (outcome) this.outcomes.set(text, outcome);
			else unknown.push(text);
			if (outcome && 'value' in outcome) this.hasSucceeded = true;
			else this.failed ||= outcome !== undefined;
		}
		await this.sendAll(unknown, this.most);
	}

	private async sendAll(texts: string[], most: number): Promise<void> {
		for (const part of chunk(texts, most)) await this.send(part);
	}

	private async send(texts: string[]): Promise<void> {
		if (this.isStopped) return await this.keepCharges(texts);
		// The gateway may have named its limit meanwhile.
		if (texts.length > this.most) return await this.sendAll(texts, this.most);
		const result = await this.ask(texts).catch(toFailure);
		if (Array.isArray(result)) {
			this.hasSucceeded = this.isWorking = true;
			for (const [index, text] of texts.entries()) await this.record(text, result[index]);
			return;
		}
		if (texts.length > 1 && this.oneTextMayBeTheCause(result)) {
			this.noteLimit(result, texts.length);
			const isTooMany = texts.length > this.most;
			if (isTooMany || (await this.halvingHelps(result))) {
				for (const text of texts) this.earlier.set(text, result.after(this.earlier.get(text)));
				await this.sendAll(texts, isTooMany ? this.most : Math.ceil(texts.length / 2));
				return;
			}
		}
		for (const text of texts) await this.record(text, { failure: result });
	}

	/** Lets texts that are not sent again fail with their divided request, if it may have been charged for. */
	private async keepCharges(texts: string[]): Promise<void> {
		for (const text of texts) {
			const failure = this.earlier.get(text);
			if (failure && !failure.isFree) await this.record(text, { failure });
		}
	}

	private noteLimit({ facts }: GatewayFailure, sent: number): void {
		const limit = namedLimit(facts);
		if (limit?.unit !== 'entries' || limit.most >= Math.min(sent, this.most)) return;
		this.most = limit.most;
		this.settings.onLimit?.(limit.most);
	}

	private async record(text: string, outcome: Outcome<T>): Promise<void> {
		if ('value' in outcome) {
			this.outcomes.set(text, outcome);
			await this.known?.keep(text, outcome.value);
			return;
		}
		this.failed = true;
		const failure = outcome.failure.after(this.earlier.get(text));
		this.outcomes.set(text, { failure });
		await this.known?.failed(text, failure);
	}

	private get isStopped(): boolean {
		return this.settings.stopAtFailure && this.failed;
	}

	/**
	 * With a wrong model, or a gateway in trouble, halving would multiply the requests, so a harmless text is tried first.
	 * Trouble may begin at any time, so the gateway must have answered since its last failure.
	 */
	private async halvingHelps(failure: GatewayFailure): Promise<boolean> {
		if (failsInside(failure)) {
			const wasWorking = this.isWorking;
			this.isWorking = wasWorking ? false : await this.answersHarmlessText();
			return wasWorking || this.isWorking;
		}
		if (this.hasSucceeded) return true;
		this.textsAreTheCause ??= this.answersHarmlessText();
		return await this.textsAreTheCause;
	}

	private oneTextMayBeTheCause(failure: GatewayFailure): boolean {
		const { kind, facts } = failure;
		if (failsInside(failure)) return mayRepeat(failure, this.settings.repeatsUnclear === true);
		return kind === 'request' && facts.status !== undefined && SINGLE_TEXT_STATUSES.includes(facts.status);
	}

	private async answersHarmlessText(): Promise<boolean> {
		return Array.isArray(await this.ask([HARMLESS_TEXT]).catch(toFailure));
	}
}

/** Tells whether the gateway itself failed, which a text may cause (Ollama#14657: the model has no numbers for it). */
function failsInside({ kind, facts }: GatewayFailure): boolean {
	return kind === 'gateway' && facts.status === 500;
}
