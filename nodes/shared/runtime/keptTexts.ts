import type { Payments, PaidSlot } from './payments';

/** The texts of a run that share requests, and whose results are kept for a retry one by one. */
export interface SharedTexts {
	texts: string[];
	/** The item of each text. */
	items: number[];
	/** What else their requests say; results for another one are not used. */
	request: unknown;
	/** Whether the texts belong to one item, which does not share results with other items. */
	isOneItem: boolean;
}

/** Results of single texts, wherever they were requested together with others. */
export class KeptTexts<T> {
	private readonly itemsOfText = new Map<string, number[]>();
	private readonly slots = new Map<string, PaidSlot>();

	constructor(
		private readonly payments: Payments,
		{ texts, items, request, isOneItem }: SharedTexts,
	) {
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

	/** The result of an earlier try. */
	async find(text: string): Promise<T | undefined> {
		const slot = this.slots.get(text);
		return slot && (await this.payments.find<T>(slot));
	}

	async keep(text: string, value: T): Promise<void> {
		const slot = this.slots.get(text);
		if (slot) await this.payments.keep(slot, value);
	}
}
