import { type Damage, FORMS, UNCERTAIN } from './damages';
import { Random } from './random';
import { SPOILS } from './spoils';
import { type Answer, type Wish, WISHES } from './wishes';

/** An answer that is not simply the JSON that was wanted. */
export interface BadAnswer {
	/** What is wrong with it. */
	fault: string;
	schema: Record<string, unknown>;
	/** The value that the model meant; undefined when the answer does not contain all of it, or it does not match. */
	meant: unknown;
	text: string;
	/** The same answer with the same fault when the model was asked for the value in a field `output`, as n8n asks. */
	wrapped: string;
}

const SEED = 20_261_123;
const MAX_ATTEMPTS = 1000;

/** The same 1,000 answers in every run, as many of each fault as of the others, give or take one. */
export function badAnswers(count = 1000): BadAnswer[] {
	const faults = [
		...FORMS.map((form) => ({ ...form, isWhole: true })),
		...UNCERTAIN.map((form) => ({ ...form, isWhole: false })),
		...SPOILS,
	];
	return Array.from({ length: count }, (_, index) => {
		const fault = faults[index % faults.length];
		const { wish, value } = suitable(fault, Math.floor(index / faults.length), new Random(SEED + index));
		// Both texts get the same random choices.
		const write = (wrap: (content: unknown) => unknown) => {
			const random = new Random(SEED - 1 - index);
			if ('write' in fault) return fault.write(wrap(value), random);
			const spoilt = fault.spoil(value, random, wish);
			return 'text' in spoilt ? spoilt.text : JSON.stringify(wrap(spoilt.value), null, 2);
		};
		return {
			fault: fault.name,
			schema: wish.schema,
			meant: 'isWhole' in fault && fault.isWhole ? value : undefined,
			text: write((content) => content),
			wrapped: write((content) => ({ output: content })),
		};
	});
}

/** A wish and an answer to it with which this fault is possible. */
function suitable(fault: object, round: number, random: Random): { wish: Wish; value: Answer } {
	const suits = 'suits' in fault ? (fault as Damage).suits! : () => true;
	for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
		// Not every wish has values with every difficulty.
		const wish = WISHES[(round + Math.floor(attempt / 20)) % WISHES.length];
		const value = wish.answer(random);
		if (suits(value)) return { wish, value };
	}
	throw new Error('No wish has an answer with which this fault is possible.');
}
