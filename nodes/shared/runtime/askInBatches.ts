import { toFailure, type GatewayFailure } from '../errors/gatewayFailure';
import { runPool } from './pool';

/** What became of one text. */
export type Outcome<T> = { value: T } | { failure: GatewayFailure };

/** How many texts share a request, and how many requests run at once. */
export interface BatchSettings {
	batchSize: number;
	maxConcurrency: number;
	/** Whether nothing more is asked once a text has failed. */
	stopAtFailure: boolean;
}

/** A text that no gateway can have anything against. */
const HARMLESS_TEXT = 'text';

/** Refusals that one text of many can be the cause of: what it says, or its length. */
const NARROWED_STATUSES = [400, 413, 422];

/**
 * Asks about many texts, many in one request. Equal texts are asked about once. A request that is refused
 * is halved until only the texts that the gateway objects to fail.
 *
 * @param ask sends one request and gives an outcome for each of its texts, in order; a failure that it
 *   throws counts for all of them
 * @returns an outcome per text, in order; undefined for a text that was not asked about, because another
 *   one had failed before
 */
export async function askInBatches<T>(
	texts: string[],
	ask: (texts: string[]) => Promise<Array<Outcome<T>>>,
	settings: BatchSettings,
): Promise<Array<Outcome<T> | undefined>> {
	const distinct = [...new Set(texts)];
	const outcomes = new Map<string, Outcome<T>>();
	const batches = chunk(distinct, settings.batchSize);
	const run = new BatchRun(ask, outcomes, settings.stopAtFailure);
	await runPool(batches, async (batch) => await run.settle(batch), {
		concurrency: settings.maxConcurrency,
		stopsAt: () => run.stopped,
	});
	return texts.map((text) => outcomes.get(text));
}

/** The entries in pieces of `size`; the last piece may be shorter. */
export function chunk<Entry>(entries: Entry[], size: number): Entry[][] {
	const step = Math.max(1, Math.floor(size));
	return Array.from({ length: Math.ceil(entries.length / step) }, (_, index) =>
		entries.slice(index * step, (index + 1) * step),
	);
}

class BatchRun<T> {
	private failed = false;
	private succeeded = false;
	private textsAreAtFault: Promise<boolean> | undefined;

	constructor(
		private readonly ask: (texts: string[]) => Promise<Array<Outcome<T>>>,
		private readonly outcomes: Map<string, Outcome<T>>,
		private readonly stopAtFailure: boolean,
	) {}

	get stopped(): boolean {
		return this.stopAtFailure && this.failed;
	}

	/** Finds an outcome for each of these texts; it never rejects. */
	async settle(texts: string[]): Promise<void> {
		if (this.stopped) return;
		const result = await this.attempt(texts);
		if (Array.isArray(result)) {
			this.succeeded = true;
			texts.forEach((text, index) => this.note(text, result[index]));
		} else if (texts.length > 1 && isNarrowed(result) && (await this.mayNarrow())) {
			const middle = Math.ceil(texts.length / 2);
			await this.settle(texts.slice(0, middle));
			await this.settle(texts.slice(middle));
		} else {
			for (const text of texts) this.note(text, { failure: result });
		}
	}

	private async attempt(texts: string[]): Promise<Array<Outcome<T>> | GatewayFailure> {
		try {
			return await this.ask(texts);
		} catch (error) {
			return toFailure(error);
		}
	}

	private note(text: string, outcome: Outcome<T>): void {
		this.outcomes.set(text, outcome);
		this.failed ||= 'failure' in outcome;
	}

	/**
	 * Whether halving can help. A wrong model or setting makes every request fail, and halving would only
	 * multiply them: as long as nothing has succeeded, a harmless text is tried first.
	 */
	private async mayNarrow(): Promise<boolean> {
		if (this.succeeded) return true;
		this.textsAreAtFault ??= this.attempt([HARMLESS_TEXT]).then(
			(result) => Array.isArray(result) || !isNarrowed(result),
		);
		return await this.textsAreAtFault;
	}
}

function isNarrowed({ kind, facts }: GatewayFailure): boolean {
	return kind === 'request' && facts.status !== undefined && NARROWED_STATUSES.includes(facts.status);
}
