import type { GatewayFailure } from '../errors/gatewayFailure';
import type { KnownTexts, Outcome } from './askInBatches';
import type { Payments, PaidSlot } from './payments';

/** The texts of a run that share requests, and whose results are kept for a retry one by one. */
export interface SharedTexts {
	texts: string[];
	/** The item of each text. */
	items: number[];
	/** What else their requests say; results for another one are not used. */
	request: unknown;
	/** Whether the user wants requests to be repeated that may have been carried out. */
	repeatsUnclear?: boolean;
	/** Whether the texts belong to one item, which does not share results with other items. */
	isOneItem: boolean;
}

/** Results of single texts, wherever they were requested together with others. */
export class KeptTexts<T> implements KnownTexts<T> {
	private readonly itemsOfText = new Map<string, number[]>();
	private readonly slots = new Map<string, PaidSlot>();
	private readonly repeatsUnclear: boolean;

	constructor(
		private readonly payments: Payments,
		{ texts, items, request, isOneItem, repeatsUnclear = false }: SharedTexts,
	) {
		this.repeatsUnclear = repeatsUnclear;
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
